import { z } from 'zod';
import { AgentSettings } from './settings.ts';

/** Where an agent is defined. */
const AgentSource = z.enum(['builtin', 'settings', 'user', 'project']);

/** A named definition of how a run is executed, wherever it was defined. */
export const AgentDefinition = AgentSettings.extend({
  id: z.string(),
  description: z.string(),
  source: AgentSource,
  /** Its file, absolute, of one that a file defines. */
  path: z.string().optional(),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** A definition of the same name that does not count, because another comes before it. */
export const AgentConflict = z.object({ source: AgentSource, path: z.string().nullable() });
export type AgentConflict = z.infer<typeof AgentConflict>;

/** An agent as it is listed: with what is odd about its definition. */
export const AgentListed = AgentDefinition.extend({
  warnings: z.array(z.string()),
  conflicts: z.array(AgentConflict),
  /** Whether its program was found; null where it is none of those that we know. */
  installed: z.boolean().nullable(),
});
export type AgentListed = z.infer<typeof AgentListed>;

/** A file that defines an agent, or is meant to. */
export const AgentFile = z.object({
  /** Absolute. */
  path: z.string(),
  source: z.enum(['user', 'project']),
  /** Null when it cannot be read as a definition. */
  id: z.string().nullable(),
  /** `used`; `hidden`: another of its name comes before it; `faulty`: see `fault`; `untrusted`: the project's definitions are not trusted (A4). */
  state: z.enum(['used', 'hidden', 'faulty', 'untrusted']),
  fault: z.string().nullable(),
  warnings: z.array(z.string()),
  /** Of its content, as it was read. */
  digest: z.string(),
});
export type AgentFile = z.infer<typeof AgentFile>;

/** Content of a definition file, to be edited. */
export const AgentText = z.object({
  path: z.string(),
  text: z.string(),
  /** Of exactly this text; to be given back when it is saved. */
  digest: z.string(),
});
export type AgentText = z.infer<typeof AgentText>;

/** A definition that is being edited: what is wrong or odd with it, field by field. */
export const AgentReview = z.object({
  /** Why it cannot be used; null when it can. */
  fault: z.string().nullable(),
  fields: z.array(
    z.object({
      /** As it is written. */
      name: z.string(),
      /** What it stands for; null for one that does nothing here. */
      field: z.string().nullable(),
      fault: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
  ),
  /** Those that belong to no field. */
  warnings: z.array(z.string()),
  /** What it defines; null while it cannot be used. */
  agent: AgentDefinition.nullable(),
  /** The instructions below its front matter. */
  body: z.string(),
});
export type AgentReview = z.infer<typeof AgentReview>;

/** Fields of a definition that a form sets; null takes one away. Everything else of the text stays as it is. */
export const AgentFieldChanges = z.partialRecord(
  z.enum([
    'name',
    'description',
    'runner',
    'command',
    'args',
    'model',
    'effort',
    'tools',
    'disallowed_tools',
    'skills',
    'mcp_servers',
    'permission',
    'isolation',
    'color',
    'max_turns',
    'max_cost_usd',
    'timeout_seconds',
  ]),
  z.union([z.string(), z.number(), z.array(z.string())]).nullable(),
);
export type AgentFieldChanges = z.infer<typeof AgentFieldChanges>;

/** Which definition file: absolute, or the name of one (`reviewer`), which then lies in Espalier's own folder of the project or, without one, of the user. */
export const AgentFileName = z.object({ project_id: z.string().nullable(), path: z.string().min(1).max(4096) });
export type AgentFileName = z.infer<typeof AgentFileName>;

/** What looking at an outside agent has shown. */
export const AgentHealth = z.object({
  id: z.string(),
  name: z.string(),
  runner: z.enum(['acp', 'cli']),
  command: z.string(),
  /** Of its program, absolute; null when it is not there. */
  path: z.string().nullable(),
  /** How its program was found (B03): on the PATH that Espalier was started with, on that of the login shell, in a folder of installers, by a whole path that is set. */
  found_by: z.enum(['path', 'login_shell', 'known_folder', 'setting']).nullable(),
  version: z.string().nullable(),
  /** `sign_in`: it is there and answers, and asks for a login. */
  state: z.enum(['ready', 'sign_in', 'missing', 'faulty']),
  /** Whether it is signed in, in words. */
  authentication: z.string(),
  /** What that means, and what to do. */
  detail: z.string(),
  /** How to get the program: a command, or words. */
  install: z.string(),
});
export type AgentHealth = z.infer<typeof AgentHealth>;
