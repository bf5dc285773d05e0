import { z } from 'zod';

/** Consent that was given beyond one call, and still holds (A2). */
export const GrantRow = z.object({
  project_id: z.string(),
  scope: z.enum(['run', 'set', 'project']),
  /** The run, set or project that it holds in. */
  scope_id: z.string(),
  tool: z.string(),
  /** The exact command or path; `*` stands for every call of the tool. */
  detail: z.string(),
  /** When it was given, epoch ms. */
  at: z.number(),
  /** Label of the run or title of the set; null for a project, and for what has none. */
  of: z.string().nullable(),
});
export type GrantRow = z.infer<typeof GrantRow>;

/** What names one consent. */
export const GrantName = GrantRow.pick({ project_id: true, scope: true, scope_id: true, tool: true, detail: true });
export type GrantName = z.infer<typeof GrantName>;

/** What the settings file itself says, without values: everything else has its default (D6). */
export const SettingsWritten = z.object({
  path: z.string(),
  /** Dotted keys of everything in the file that is no object. */
  keys: z.array(z.string()),
  /** Keys at the top of the file that this build does not know; they are kept. */
  unknown: z.array(z.string()),
});
export type SettingsWritten = z.infer<typeof SettingsWritten>;

/** The name of a command that a key can be bound to. */
const CommandName = z.string().regex(/^[a-z0-9][a-z0-9:-]{0,63}$/);

/** A chord such as `mod+shift+k`, `f6` or `?`; `mod` is the command key on a Mac and Ctrl elsewhere. */
const Chord = z.string().regex(/^(?:(?:mod|alt|shift)\+){0,3}(?:[^\s+A-Z]|\+|[a-z][a-z0-9]{1,11})$/, {
  error: 'is not a key. Write it like mod+shift+k, f6 or ?.',
});

/** `keys.json`: what the user bound, by command; null takes the key away. What it does not name has its default. */
export const KeyFile = z.object({
  version: z.literal(1).default(1),
  keys: z.record(CommandName, Chord.nullable()).default({}),
});
export type KeyFile = z.infer<typeof KeyFile>;

/** The keys that the user bound, and where they are written. */
export const BoundKeys = z.object({
  path: z.string(),
  keys: KeyFile.shape.keys,
  /** Why the file cannot be used, in words: all keys have their default then, and nothing is written over it. */
  problem: z.string().nullable(),
});
export type BoundKeys = z.infer<typeof BoundKeys>;

/** Binds one command: a chord, null for no key, and nothing for its default. */
export const KeyChange = z.object({ command: CommandName, chord: Chord.nullable().optional() });
export type KeyChange = z.infer<typeof KeyChange>;
