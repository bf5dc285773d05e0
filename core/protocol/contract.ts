import { agents, skills } from './api/agents.ts';
import { app, onboarding, storage } from './api/app.ts';
import { asks, grants } from './api/asks.ts';
import { batches, templates } from './api/batches.ts';
import { conversations, images, leads } from './api/conversations.ts';
import { exporting, history, search, usage } from './api/history.ts';
import { live } from './api/live.ts';
import { outside } from './api/outside.ts';
import { folders, open, projects } from './api/projects.ts';
import { models, providers } from './api/providers.ts';
import { changes, runs, transcript } from './api/runs.ts';
import { sets } from './api/sets.ts';
import { keys, settings } from './api/settings.ts';
import { terminals } from './api/terminals.ts';

/**
 * The one API of the core. Every client speaks it: desktop over MessagePort, browser over WebSocket, CLI over a socket. Each
 * area is written in a file of `api/`.
 */
export const contract = {
  app,
  live,
  projects,
  folders,
  batches,
  leads,
  conversations,
  sets,
  runs,
  changes,
  transcript,
  history,
  images,
  templates,
  usage,
  terminals,
  open,
  export: exporting,
  search,
  asks,
  skills,
  grants,
  keys,
  outside,
  agents,
  models,
  providers,
  onboarding,
  storage,
  settings,
} as const;
