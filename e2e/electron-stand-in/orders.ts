import { app } from './app.ts';
import { powerMonitor } from './electron.ts';
import { entries, seen, state } from './machine.ts';
import type { Order, Seen, Template } from './seen.ts';

function click(items: readonly Template[], path: readonly string[]): void {
  const [label, ...rest] = path;
  const found = items.find((item) => (item.label ?? item.role) === label);
  if (found === undefined) throw new Error(`there is no entry ${label} in ${JSON.stringify(entries(items))}`);
  if (rest.length > 0) click(found.submenu ?? [], rest);
  else if (found.enabled === false) throw new Error(`${label} is not enabled`);
  else if (found.role === 'quit') app.quit();
  else if (found.role === 'close') state.focused?.close();
  else if (found.click === undefined) throw new Error(`${label} does nothing of its own`);
  else found.click();
}

const window = (index = 0): (typeof state.windows)[number] => {
  const found = state.windows[index];
  if (found === undefined) throw new Error(`there is no window ${index}`);
  return found;
};
const held = { preventDefault: (): void => undefined };

/** Something that a page tries, which its contents may refuse. */
function tries(event: 'will-frame-navigate' | 'will-redirect', url: string, isMainFrame: boolean): void {
  let refused = false;
  window().webContents.emit(event, { url, isMainFrame, preventDefault: () => (refused = true) });
  if (refused) state.refused.push(`${event} ${url}`);
}

type Does<Type extends Order['type']> = (order: Extract<Order, { type: Type }>) => unknown;

const DOES: { readonly [Type in Order['type']]: Does<Type> } = {
  seen: () => undefined,
  click_menu: ({ path }) => click(state.menu?.items ?? [], path),
  click_tray: ({ label }) =>
    label === null ? state.tray?.emit('click') : click(state.tray?.menu?.items ?? [], [label]),
  click_notification: ({ index }) => state.notifications[index]?.emit('click'),
  close_window: ({ window: index }) => window(index).close(),
  focus: ({ focused, window: index }) => (focused ? window(index).focus() : window(index).blur()),
  answer: ({ button }) => (state.button = button),
  choose: ({ paths }) => (state.paths = paths),
  power: ({ event }) => powerMonitor.emit(event),
  second_instance: ({ argv, folder }) => app.emit('second-instance', {}, argv, folder),
  open_file: ({ path }) => app.emit('open-file', held, path),
  open_url: ({ url }) => app.emit('open-url', held, url),
  crash: ({ what }) =>
    what === 'page'
      ? app.emit('render-process-gone', {}, window().webContents, { reason: 'crashed', exitCode: 1 })
      : app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' }),
  navigate: ({ url, frame }) => tries('will-frame-navigate', url, !frame),
  redirect: ({ url }) => tries('will-redirect', url, true),
  open_window: ({ url }) => {
    if (window().webContents.handlers.open?.({ url }).action === 'deny') state.refused.push(`open ${url}`);
  },
  ask_permission: ({ permission }) => {
    const { request, check } = window().webContents.handlers;
    request?.(null, permission, (granted) => {
      if (!granted && check?.(null, permission) === false) state.refused.push(`permission ${permission}`);
    });
  },
  quit: () => app.quit(),
};

/** Does what a test asks, as person or system; answers what is to be seen then. */
export function obey(order: Order): Seen {
  (DOES[order.type] as (order: Order) => unknown)(order);
  return seen();
}
