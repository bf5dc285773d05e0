import { bashKillTool, bashListTool, bashOutputTool } from './bash-companions.ts';
import { bashTool } from './bash-tool.ts';
import { editTool } from './edit-tool.ts';
import { globTool } from './glob-tool.ts';
import { grepTool } from './grep-tool.ts';
import { lsTool } from './ls-tool.ts';
import { readTool } from './read-tool.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write-tool.ts';

/** The tools of the built-in loop, in the order in which the model sees them (byte-stable, K1). */
export const BUILTIN_TOOLS: readonly Tool[] = [
  readTool, lsTool, globTool, grepTool, editTool, writeTool, bashTool, bashOutputTool, bashListTool, bashKillTool,
]; // prettier-ignore
