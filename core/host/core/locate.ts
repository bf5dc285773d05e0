import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { findConversation } from '../../registry/store/read-rows.ts';
import { unknownRun } from '../../delegation/decide-steer.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import type { Projects } from './projects.ts';

/** Where something lives. */
export interface Place {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
}

/** Finds the conversation of a run, set, conversation or ask id over all projects. */
export async function locate(projects: Projects, id: string): Promise<Result<Place, ApiError>> {
  for (const engine of projects.engines) {
    const found = inEngine(engine, id);
    if (found !== null) return ok(found);
  }
  const open = new Set(projects.engines.map((engine) => engine.projectId));
  for (const { project_id } of projects.list()) {
    if (open.has(project_id)) continue;
    const engine = await projects.engine(project_id);
    const found = engine.ok ? inEngine(engine.value, id) : null;
    if (found !== null) return ok(found);
  }
  return err(unknownRun(id));
}

function inEngine(engine: ProjectEngine, id: string): Place | null {
  const conversation_id = engine.conversationOf(id) ?? findConversation(engine.db, id);
  return conversation_id === null ? null : { engine, conversation_id };
}

/** The conversation that a run, set or conversation id belongs to, with all that is in it. */
export async function locateTree(projects: Projects, id: string): Promise<Result<ConversationTree, ApiError>> {
  const place = await locate(projects, id);
  if (!place.ok) return place;
  const tree = place.value.engine.tree(place.value.conversation_id);
  return tree === null ? err({ code: 'not_found', message: `There is no conversation for ${id}.` }) : ok(tree);
}
