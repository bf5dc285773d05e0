import { dirname } from 'node:path';
import { ProcessScanner } from '../../../kit/process-tree/process-scanner.ts';
import { hostProcesses } from '../../../kit/process-tree/host-processes.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { Message } from '../../../providers/messages/message.ts';
import { neutralise } from '../../../workspace/fences/fence.ts';
import { outputSecrets } from '../../../providers/secrets/output-secrets.ts';
import { readDefinitions } from '../../../workspace/trust/project-definitions.ts';
import { loadSkills, type Skill, type Skills } from '../../../workspace/skills/load-skills.ts';
import { loadInstructions } from '../../../workspace/instructions/load-instructions.ts';
import type { RunnerPort } from '../../contract.ts';
import { programGraceMs } from '../../stop-grace.ts';
import { BackgroundProcesses } from '../tools/background-processes.ts';
import type { Tool } from '../tools/tool.ts';
import { supervisedPrograms } from '../tools/supervised-programs.ts';
import { CallLimit } from './call-limit.ts';
import { Conversation } from './conversation.ts';
import { delegationRefusal } from './delegate-tool.ts';
import { FileLog } from './file-log.ts';
import { Inbox } from './inbox.ts';
import { Loop } from './loop.ts';
import { ModelTalk } from './model-talk.ts';
import { offeredTools } from './offered-tools.ts';
import { Permissions } from './permission-ask.ts';
import { readSession, type Session } from './session.ts';
import { Spending } from './spending.ts';
import { isSchema, StructuredOutput } from '../../structured-output.ts';
import { systemPrompt } from './system-prompt.ts';
import { taskImages } from './task-images.ts';
import type { Workbench } from './tool-calls.ts';

/** Makes the loop of an assignment, with `more` tools than our own; reads the project's instructions and the task's images, and writes the first message into the transcript. */
export async function openLoop(assignment: Assignment, port: RunnerPort, more: readonly Tool[]): Promise<Loop> {
  const session = readSession(assignment.session);
  // A lead goes on where it, or the lead that it continues, has answered: with its next message, not with its goal (T1).
  const restored = session?.run_id === assignment.run_id || assignment.lead ? session : null;
  const tools = offeredTools(assignment, more);
  const [{ system, skills }, first, output] = await Promise.all([
    prompt(assignment, port, tools),
    restored === null ? goalMessage(assignment) : null,
    isSchema(assignment.output_schema) ? StructuredOutput.open(assignment.output_schema) : null,
  ]);
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: { ...inputSchema },
  }));
  const earlier = session?.messages ?? [];
  const conversation = new Conversation({ system, tools: definitions }, first === null ? earlier : [...earlier, first]);
  if (first !== null) writeGoal(assignment, port, session);
  const spending = new Spending(assignment.limits);
  port.onLimits((limits) => spending.limit(limits));
  const files = new FileLog();
  const programs = supervisedPrograms(
    new ProcessScanner({ source: hostProcesses(), clock: port.clock }),
    port.clock,
    programGraceMs(assignment.limits.stop_grace_seconds),
    outputSecrets(assignment),
  );
  const background = new BackgroundProcesses(programs, port.clock);
  const talk = new ModelTalk(assignment, port, conversation, spending);
  const bench: Workbench = {
    port,
    tools,
    permissions: new Permissions(port, assignment),
    limit: new CallLimit(assignment.limits.max_tool_calls),
    output,
    waitByDefault: assignment.delegate?.wait_default ?? true,
    noDelegation: delegationRefusal(assignment),
    context: toolContext(assignment, port, { programs, background, files, skills }),
    contextChars: () => conversation.roomFor(talk.window),
  };
  const inbox = new Inbox(port, assignment.steers);
  return new Loop({ assignment, port, conversation, talk, spending, inbox, bench, files, background, restored });
}

type Supervised = Pick<Workbench['context'], 'programs' | 'background'>;

function toolContext(
  { workspace, run_id, spill_folder, environment, hidden_variables, agent }: Assignment,
  { clock }: RunnerPort,
  { files, skills, ...supervised }: Supervised & { readonly files: FileLog; readonly skills: readonly Skill[] },
): Workbench['context'] {
  return {
    workspace,
    runId: run_id,
    clock,
    spillFolder: spill_folder,
    skillFolders: skills.map(({ place }) => dirname(place)),
    environment: toolEnvironment({ ...environment, ...agent.env }, { runId: run_id, drop: hidden_variables }),
    ...supervised,
    onFile: (kind, path) => files.add(kind, path),
  };
}

/** A worktree has the instructions of its own state; they are read from there. */
async function prompt(
  assignment: Assignment,
  { clock, transcript }: RunnerPort,
  tools: readonly Tool[],
): Promise<{ readonly system: string; readonly skills: readonly Skill[] }> {
  const { workspace, project, isolated } = assignment;
  const [{ text }, { skills, warnings }] = await Promise.all([
    loadInstructions(isolated ? workspace : project, { folder: workspace }),
    skillsOf(assignment, tools),
  ]);
  for (const warning of warnings) transcript.add({ type: 'notice', level: 'warning' }, warning);
  const now = clock.now();
  return { system: systemPrompt({ assignment, instructions: text, skills, platform: process.platform, now }), skills };
}

/** Skills are of use to a run that can read their files. */
async function skillsOf({ skills, agent, project }: Assignment, tools: readonly Tool[]): Promise<Skills> {
  if (skills === undefined || !tools.some(({ name }) => name === 'read')) return { skills: [], warnings: [] };
  const { folders, project: trusted } = skills;
  const only = agent.skills ?? null;
  if (trusted === null) return loadSkills({ project: null, folders, only });
  // Trust is of content: what another run or a pull has written there since then was not looked at by anybody.
  const { digest, faults } = await readDefinitions(project);
  if (digest === trusted && faults.length === 0) return loadSkills({ project, folders, only });
  const own = await loadSkills({ project: null, folders, only });
  return { ...own, warnings: [CHANGED, ...own.warnings] };
}

const CHANGED =
  'The skills of the project are not used: what it defines changed since it was trusted. Look at it and trust it again.';

async function goalMessage({ goal, images, workspace }: Assignment): Promise<Message> {
  const parts = images.length === 0 ? [] : await taskImages(images, workspace);
  return { role: 'user', parts: [{ type: 'text', text: neutralise(goal) }, ...parts] };
}

/** For a run that continues another one the goal is the message that follows on what was said before (C5). */
function writeGoal({ goal }: Assignment, { transcript }: RunnerPort, session: Session | null): void {
  transcript.add({ type: 'user', origin: session === null ? 'goal' : 'message', steer_id: null }, goal);
}
