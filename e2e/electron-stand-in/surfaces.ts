import { EventEmitter } from 'node:events';
import { state } from './machine.ts';
import type { Template } from './seen.ts';

export class StandInMenu {
  static buildFromTemplate = (items: readonly Template[]): StandInMenu => new StandInMenu(items);
  static setApplicationMenu = (menu: StandInMenu | null): void => void (state.menu = menu);
  readonly items: readonly Template[];

  constructor(items: readonly Template[]) {
    this.items = items;
  }
}

export class StandInTray extends EventEmitter {
  image: string;
  tooltip = '';
  menu: StandInMenu | null = null;
  constructor(image: { path: string }) {
    super();
    this.image = image.path;
    state.tray = this;
  }
  setImage = ({ path }: { path: string }): void => void (this.image = path);
  setToolTip = (text: string): void => void (this.tooltip = text);
  setTitle = (): void => undefined;
  setContextMenu = (menu: StandInMenu): void => void (this.menu = menu);
  destroy = (): void => void (state.tray = null);
}

export class StandInNotification extends EventEmitter {
  static isSupported = (): boolean => true;
  readonly title: string;
  readonly body: string;
  constructor({ title, body }: { title: string; body: string }) {
    super();
    this.title = title;
    this.body = body;
  }
  show = (): void => void state.notifications.push(this);
}
