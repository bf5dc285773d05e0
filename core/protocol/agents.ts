import { z } from 'zod';
import { AgentSettings } from './settings.ts';

/** A named definition of how a run is executed, wherever it was defined. */
export const AgentDefinition = AgentSettings.extend({
  id: z.string(),
  description: z.string(),
  source: z.enum(['builtin', 'settings', 'user', 'project']),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;
