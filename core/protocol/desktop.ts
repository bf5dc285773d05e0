import { z } from 'zod';
import { KeyVariable } from './providers.ts';

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
  /** The conversation that it shows, and the project that this, or the next one, belongs to. */
  z.object({
    type: z.literal('looks_at'),
    conversation_id: z.string().max(100).nullable(),
    project_id: z.string().max(100).nullable(),
  }),
  /** Its theme, for what the system draws around it. */
  z.object({ type: z.literal('theme'), theme: z.enum(['system', 'dark', 'light']) }),
]);
export type PageFact = z.infer<typeof PageFact>;

const TrayItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation'), label: z.string(), conversation_id: z.string() }),
  z.object({ type: z.literal('words'), label: z.string() }),
  z.object({ type: z.literal('separator') }),
  z.object({ type: z.enum(['pause', 'resume', 'open', 'quit']), label: z.string() }),
]);
export type TrayItem = z.infer<typeof TrayItem>;

/** What the tray shows and offers. Icons and menus are made of it by the shell. */
export const TrayModel = z.object({
  icon: z.enum(['idle', 'working', 'needs_you', 'failed']),
  /** Number beside the icon; 0 for none. */
  count: z.number().int(),
  tooltip: z.string(),
  items: z.array(TrayItem).readonly(),
});
export type TrayModel = z.infer<typeof TrayModel>;

/** What a notice leads to when it is clicked: exactly that node. */
const NoticeTarget = z.object({
  conversation_id: z.string(),
  delegation_id: z.string().nullable(),
  run_id: z.string().nullable(),
});

/** One notification of the operating system, decided in the core and only shown by the shell (ui.md, *Telling people*). */
export const Notice = z.object({
  type: z.enum(['set_ended', 'needs_you', 'failed']),
  title: z.string(),
  /** Plain text, one line. */
  body: z.string(),
  target: NoticeTarget,
});
export type Notice = z.infer<typeof Notice>;

/** What the shell shows of the work. */
export const DesktopView = z.object({
  tray: TrayModel,
  /** Number on the app's icon: what waits for the person, and failures that nobody has looked at; 0 for none. */
  badge: z.number().int(),
  /** Share of the runs of live conversations that have ended, 0 to 1; null without work. */
  progress: z.number().nullable(),
  /** The machine must not go to sleep by itself. */
  keepAwake: z.boolean(),
  /** Closing the last window keeps the app in the tray. */
  closeToTray: z.boolean(),
  /** The app looks for newer versions of itself. */
  checkForUpdates: z.boolean(),
  /** Runs with a worker. */
  atWork: z.number().int(),
  /** Folders of the projects that were used last, the latest first. */
  recent: z.array(z.string()).readonly(),
});
export type DesktopView = z.infer<typeof DesktopView>;

/** What a core tells the desktop that shows it; also one that another process hosts. */
export const DesktopMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), watch_id: z.string() }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  z.object({ type: z.literal('view'), view: DesktopView }),
]);
export type DesktopMessage = z.infer<typeof DesktopMessage>;

/** What there is to do when the app quits or is replaced by a newer version. */
export const WorkNow = z.object({
  /** Runs with a worker. */
  atWork: z.number().int(),
  /** Runs that have no worker yet. */
  queued: z.number().int(),
  /** Open permissions and questions. */
  asks: z.number().int(),
  /** What the runs with a worker are called, as far as they may be told. */
  names: z.array(z.string()).readonly(),
});
export type WorkNow = z.infer<typeof WorkNow>;

/** What the page asks of the keychain: what is kept, to keep a key, to forget one. */
export const KeyRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('list') }),
  z.object({ type: z.literal('keep'), name: KeyVariable, value: z.string().min(8).max(8192) }),
  z.object({ type: z.literal('forget'), name: KeyVariable }),
]);
export type KeyRequest = z.infer<typeof KeyRequest>;

/** What the page is told then: names, never a value; without a keychain why nothing is kept. */
export const KeyAnswer = z.object({
  /** There is a keychain that keeps a secret. */
  keychain: z.boolean(),
  /** Where keys are kept, or why they are not, in words. */
  detail: z.string(),
  names: z.array(z.string()).readonly(),
  error: z.string().nullable(),
});
export type KeyAnswer = z.infer<typeof KeyAnswer>;
