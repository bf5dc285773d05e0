import { z } from 'zod';
import { NamedModel } from '../named-model.ts';
import { KeptKeys, KeyVariable, PriceTable, ProviderListed, ProviderModels, ProviderTest } from '../providers.ts';
import { Id, base } from './base.ts';

/** Where models come from. Keys go in and never come out (K4). */
export const providers = {
  /** Those of the settings, and the vendors that are known without. */
  list: base.output(z.array(ProviderListed)),
  /** Asks the provider itself; within 10 s it is done, and costs nothing. */
  test: base.input(Id).output(ProviderTest),
  /** Its models: those of the settings, those that its endpoint lists, and those of the price table. */
  models: base.input(Id).output(ProviderModels),
  prices: base.output(PriceTable),
  /** The key file of the data folder: which variables it holds a key for. */
  kept_keys: base.output(KeptKeys),
  /** Keeps a key in the key file, by explicit choice; it counts at once. Only for a variable that a provider names. */
  keep_key: base.input(z.object({ name: KeyVariable, key: z.string().trim().min(1).max(8192) })).output(KeptKeys),
  forget_key: base.input(z.object({ name: KeyVariable })).output(KeptKeys),
};

/** Models that can be named, in a project if one is given: the Demo's has one of its own. */
export const models = {
  list: base.input(z.object({ project_id: z.string().nullable() }).optional()).output(z.array(NamedModel)),
};
