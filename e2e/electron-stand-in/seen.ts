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
    readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    readonly options: unknown;
  }[];
  readonly badge: number;
  readonly awake: boolean;
  readonly clipboard: string;
  readonly theme: string;
  readonly dialogs: { readonly message: string; readonly detail: string; readonly buttons: readonly string[] }[];
  readonly opened: readonly string[];
  /** What a page tried and was not allowed. */
  readonly refused: readonly string[];
  /** Schemes with privileges. */
  readonly schemes: readonly unknown[];
  /** Drawn without the graphics processor. */
  readonly safe: boolean;
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
  | { readonly type: 'close_window'; readonly window?: number }
  | { readonly type: 'focus'; readonly focused: boolean; readonly window?: number }
  /** The answer to the next dialog: a button's label, or paths. */
  | { readonly type: 'answer'; readonly button: string }
  | { readonly type: 'choose'; readonly paths: readonly string[] }
  | { readonly type: 'power'; readonly event: 'suspend' | 'resume' | 'shutdown' }
  | { readonly type: 'second_instance'; readonly argv: readonly string[]; readonly folder: string }
  | { readonly type: 'open_file'; readonly path: string }
  | { readonly type: 'open_url'; readonly url: string }
  | { readonly type: 'crash'; readonly what: 'page' | 'gpu' }
  /** A page tries to go elsewhere: itself or a frame of it, by a redirect, in a window of its own. */
  | { readonly type: 'navigate'; readonly url: string; readonly frame: boolean }
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'open_window'; readonly url: string }
  | { readonly type: 'ask_permission'; readonly permission: string }
  | { readonly type: 'quit' };

/** An entry of a menu as main describes it. */
export interface Template {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly click?: () => void;
  readonly submenu?: readonly Template[];
}
