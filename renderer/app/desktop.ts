import { DesktopCommand } from '../../core/protocol/desktop.ts';
import { bridge } from '../shared/bridge.ts';
import { attempt, core } from './client.ts';
import { runCommand } from './commands.ts';
import { useLive } from './live.ts';
import { startStrings } from '../shared/start-strings.ts';
import { toastError } from '../ui/toast.tsx';
import { ui, useUi } from './ui-store.ts';

type Batch = Extract<DesktopCommand, { type: 'open_batch' }>;

/** Who takes a batch that the system opened: the editor. */
const takers = new Set<(batch: Batch) => void>();
/** Batches that came before the editor was there. */
const untaken: Batch[] = [];

/** Takes batches that the system opens; answers how to stop. */
export function onOpenedBatch(take: (batch: Batch) => void): () => void {
  takers.add(take);
  for (const batch of untaken.splice(0)) take(batch);
  return () => {
    takers.delete(take);
  };
}

/** Hears what the desktop asks for and tells it what the page shows; nothing in a browser. Called once. */
export function startDesktop(): void {
  const desktop = bridge();
  if (desktop?.onCommand === undefined || desktop.tell === undefined) return;
  desktop.onCommand((said) => {
    const command = DesktopCommand.safeParse(said).data;
    if (command !== undefined) obey(command);
  });
  const tell = desktop.tell;
  let shown = '';
  let theme: string | null = null;
  const tellChanges = (): void => {
    const state = useUi.getState();
    const conversation_id = state.conversation;
    const row = conversation_id === null ? undefined : useLive.getState().conversations.get(conversation_id);
    const project_id = conversation_id === null ? state.project : (row?.project_id ?? null);
    const shows = `${conversation_id} ${project_id}`;
    if (shows !== shown) tell({ type: 'looks_at', conversation_id, project_id });
    shown = shows;
    if (state.theme !== theme) tell({ type: 'theme', theme: (theme = state.theme) });
  };
  tellChanges();
  useUi.subscribe(tellChanges);
  // A conversation's project is known when its row has come.
  useLive.subscribe(tellChanges);
  tell({ type: 'ready' });
}

function obey(command: DesktopCommand): void {
  switch (command.type) {
    case 'open_node':
      openNode(command);
      return;
    case 'open_batch':
      if (takers.size === 0) untaken.push(command);
      for (const take of takers) take(command);
      return;
    case 'open_project':
      void attempt(startStrings.drop.attachFailed, async () => {
        ui.beginIn((await core.projects.add({ path: command.path })).project_id);
      });
      return;
    case 'run_command':
      runCommand(command.command);
      return;
    case 'tell':
      toastError(command.title, command.detail, command.detail);
      return;
    default:
      command satisfies never;
  }
}

function openNode({ conversation_id, delegation_id, run_id }: Extract<DesktopCommand, { type: 'open_node' }>): void {
  if (run_id !== null) {
    ui.reveal(conversation_id, run_id);
    return;
  }
  ui.openConversation(conversation_id);
  if (delegation_id !== null) ui.selectSet(delegation_id);
}
