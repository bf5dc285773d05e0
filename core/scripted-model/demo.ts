import { join } from 'node:path';
import { ok } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';
import { loadScript } from './script.ts';
import type { ScriptError } from './script.ts';
import type { Script } from './script-input.ts';

/** What the Demo is made of. */
export interface Demo {
  /** Checked; for `startScriptedModel`. */
  readonly script: Script;
  /** The batch file (YAML) to dispatch. */
  readonly batchPath: string;
  /** The scratch project; to be copied, the tasks write in it. It has no repository and needs no install. */
  readonly projectPath: string;
  /** Files that its tasks make, from the project's root. */
  readonly written: readonly string[];
}

/** Loads the Demo from its folder (`assets/demo`). */
export async function loadDemo(folder: string): Promise<Result<Demo, ScriptError>> {
  const script = await loadScript(join(folder, 'script.yaml'));
  if (!script.ok) return script;
  return ok({
    script: script.value,
    batchPath: join(folder, 'batch.yaml'),
    projectPath: join(folder, 'project'),
    written: writtenBy(script.value),
  });
}

function writtenBy({ conversations }: Script): string[] {
  const steps = conversations.flatMap(({ turns }) => turns.flat());
  return steps.flatMap((step) => {
    if (typeof step === 'string' || !('tool_call' in step) || step.tool_call.name !== 'write') return [];
    const { path } = step.tool_call.arguments ?? {};
    return typeof path === 'string' ? [path] : [];
  });
}
