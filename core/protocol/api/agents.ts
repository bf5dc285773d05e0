import { z } from 'zod';
import {
  AgentFieldChanges,
  AgentFile,
  AgentFileName,
  AgentHealth,
  AgentListed,
  AgentReview,
  AgentText,
} from '../agents.ts';
import { Done, base } from './base.ts';

export const agents = {
  /** Agents that can be named: without a project, or in one; of one name the first counts (`conflicts` are the others). */
  list: base.input(z.object({ project_id: z.string().nullable() }).optional()).output(z.array(AgentListed)),
  /** The files that define agents, or are meant to: the user's own, and with a project those of it. */
  files: base.input(z.object({ project_id: z.string().nullable() })).output(z.array(AgentFile)),
  read: base.input(AgentFileName).output(AgentText),
  /**
   * Writes a definition file; a text that is none is refused. `digest`: of the text that was edited, null for a new file; another content by now is a
   * `conflict`. What a project defines stays trusted, if it was, as nothing but this file is another one.
   */
  save: base
    .input(AgentFileName.extend({ text: z.string().max(256 * 1024), digest: z.string().nullable() }))
    .output(AgentFile),
  remove: base.input(AgentFileName.extend({ digest: z.string() })).output(Done),
  /** What a text would define, where it would lie, and what is wrong with it, field by field. Writes nothing. */
  review: base.input(AgentFileName.extend({ text: z.string().max(256 * 1024) })).output(AgentReview),
  /** The text with some fields of its front matter, or its instructions, as others; comments and all else stay. Writes nothing. */
  edit: base
    .input(
      z.object({
        text: z.string().max(256 * 1024),
        set: AgentFieldChanges,
        /** Fields to take out, as they are written. */
        drop: z.array(z.string()).optional(),
        body: z.string().optional(),
      }),
    )
    .output(z.object({ text: z.string() })),
  /** Looks at every known outside agent, or at one: program, version, protocol, login. Starts those that are there; takes seconds. */
  check: base
    .input(z.object({ id: z.string(), project_id: z.string().nullable() }).optional())
    .output(z.array(AgentHealth)),
};

/** Skills that runs are offered (K1): the user's own, and with a project those of it, while it is trusted. */
export const skills = {
  list: base.input(z.object({ project_id: z.string().nullable() })).output(
    z.object({
      skills: z.array(z.object({ name: z.string(), description: z.string(), path: z.string() })),
      /** What was left out, and why, in words. */
      warnings: z.array(z.string()),
    }),
  ),
};
