import { z } from 'zod';
import { BoundKeys, KeyChange, SettingsWritten } from '../preferences.ts';
import { Settings } from '../settings.ts';
import { base } from './base.ts';

export const settings = {
  get: base.output(Settings),
  /** Where the file is and which keys it sets, without values: what it does not name has its default. */
  written: base.output(SettingsWritten),
  set: base.input(z.object({ key: z.string(), value: z.unknown() })).output(Settings),
};

/** The keys that the user bound, in `keys.json` of the data folder. */
export const keys = {
  get: base.output(BoundKeys),
  set: base.input(KeyChange).output(BoundKeys),
};
