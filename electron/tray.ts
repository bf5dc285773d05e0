import { join } from 'node:path';
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import { assertNever } from '../core/kit/assert-never.ts';
import type { TrayItem, TrayModel } from '../core/protocol/desktop.ts';

/** What the entries of the tray do. */
export interface TrayActions {
  open(): void;
  openConversation(id: string): void;
  pause(paused: boolean): void;
  quit(): void;
}

/** What the tray offers while no core of this process says more. */
const PLAIN_TRAY: TrayModel = {
  icon: 'idle',
  count: 0,
  tooltip: 'Espalier',
  items: [{ type: 'open', label: 'Open Espalier' }, { type: 'separator' }, { type: 'quit', label: 'Quit' }],
};

/** The icon in the tray, with its live menu. */
export class AppTray {
  readonly #tray: Tray;
  readonly #images: string;
  readonly #actions: TrayActions;
  #icon: TrayModel['icon'] = 'idle';

  constructor(images: string, actions: TrayActions) {
    this.#images = images;
    this.#actions = actions;
    this.#tray = new Tray(this.#image('idle'));
    this.#tray.on('click', () => actions.open());
    this.show(PLAIN_TRAY);
  }

  show({ icon, count, tooltip, items }: TrayModel): void {
    if (icon !== this.#icon) this.#tray.setImage(this.#image(icon));
    this.#icon = icon;
    this.#tray.setToolTip(tooltip);
    if (process.platform === 'darwin') this.#tray.setTitle(count === 0 ? '' : String(count));
    this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => this.#entry(item))));
  }

  close(): void {
    this.#tray.destroy();
  }

  /** One with `Template` in its name takes the colour of the menu bar of macOS. */
  #image(icon: TrayModel['icon']): Electron.NativeImage {
    const name = process.platform === 'darwin' ? `${icon}Template.png` : `${icon}.png`;
    return nativeImage.createFromPath(join(this.#images, name));
  }

  #entry(item: TrayItem): MenuItemConstructorOptions {
    const actions = this.#actions;
    switch (item.type) {
      case 'conversation':
        return { label: item.label, click: () => actions.openConversation(item.conversation_id) };
      case 'words':
        return { label: item.label, enabled: false };
      case 'separator':
        return { type: 'separator' };
      case 'pause':
        return { label: item.label, click: () => actions.pause(true) };
      case 'resume':
        return { label: item.label, click: () => actions.pause(false) };
      case 'open':
        return { label: item.label, click: () => actions.open() };
      case 'quit':
        return { label: item.label, click: () => actions.quit() };
      default:
        return assertNever(item);
    }
  }
}
