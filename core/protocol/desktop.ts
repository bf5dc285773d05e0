import { z } from 'zod';

/** What the desktop asks of its page: a click on a notification or the menu, a link, a file from the system. */
export const DesktopCommand = z.discriminatedUnion('type', [
  /** Opens exactly this node; the deepest that is named. */
  z.object({
    type: z.literal('open_node'),
    conversation_id: z.string(),
    delegation_id: z.string().nullable(),
    run_id: z.string().nullable(),
  }),
  /** Opens a batch in the editor. */
  z.object({ type: z.literal('open_batch'), name: z.string(), text: z.string() }),
  /** Attaches a folder as a project, and begins in it. */
  z.object({ type: z.literal('open_project'), path: z.string() }),
  /** Does what a command of the palette does. */
  z.object({
    type: z.literal('run_command'),
    command: z.enum(['new', 'attach', 'batch', 'settings', 'palette', 'inbox', 'shortcuts', 'sidebar', 'inspector']),
  }),
  /** Says why something that the person opened did not open. */
  z.object({ type: z.literal('tell'), title: z.string(), detail: z.string() }),
]);
export type DesktopCommand = z.infer<typeof DesktopCommand>;

/** What the page tells the desktop. */
export const PageFact = z.discriminatedUnion('type', [
  /** It hears commands now; those that wait are sent. */
  z.object({ type: z.literal('ready') }),
  /** The conversation that it shows. */
  z.object({ type: z.literal('looks_at'), conversation_id: z.string().max(100).nullable() }),
  /** Its theme, for what the system draws around it. */
  z.object({ type: z.literal('theme'), theme: z.enum(['system', 'dark', 'light']) }),
]);
export type PageFact = z.infer<typeof PageFact>;
