/** What the desktop has shown and done so far, as a test sees it. */
export interface Seen {
  readonly notifications: { readonly title: string; readonly body: string }[];
  readonly tray: { icon: string; tooltip: string; menu: MenuEntry[] } | null;
  readonly menu: MenuEntry[];
  readonly windows: {
    readonly url: string;
    readonly visible: boolean;
    readonly focused: boolean;
    readonly progress: number;
    readonly options: unknown;
  }[];
  readonly badge: number;
  readonly awake: boolean;
  readonly clipboard: string;
  readonly theme: string;
  readonly dialogs: { readonly message: string; readonly detail: string; readonly buttons: readonly string[] }[];
  readonly opened: readonly string[];
  readonly recent: readonly string[];
  readonly relaunched: readonly string[] | null;
  /** An answer was given and the dialog has not taken it yet. */
  readonly answering: boolean;
}

export interface MenuEntry {
  readonly label: string;
  readonly enabled: boolean;
  readonly submenu: MenuEntry[];
}

/** What a test does to the desktop as person or system. */
export type Order =
  | { readonly type: 'seen' }
  | { readonly type: 'click_menu'; readonly path: readonly string[] }
  | { readonly type: 'click_tray'; readonly label: string | null }
  | { readonly type: 'click_notification'; readonly index: number }
  | { readonly type: 'close_window' }
  | { readonly type: 'focus'; readonly focused: boolean }
  /** The answer to the next dialog: a button's label, or paths. */
  | { readonly type: 'answer'; readonly button: string }
  | { readonly type: 'choose'; readonly paths: readonly string[] }
  | { readonly type: 'power'; readonly event: 'suspend' | 'resume' | 'shutdown' }
  | { readonly type: 'second_instance'; readonly argv: readonly string[]; readonly folder: string }
  | { readonly type: 'open_file'; readonly path: string }
  | { readonly type: 'open_url'; readonly url: string }
  | { readonly type: 'crash_page' }
  | { readonly type: 'quit' };
