import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { dockTemplate, menuTemplate, type MenuActions, type MenuFacts } from './menu.ts';

const calls: string[] = [];
const actions: MenuActions = {
  runCommand: (command) => calls.push(`run ${command}`),
  newWindow: () => calls.push('new window'),
  openProject: (path) => calls.push(`open ${path}`),
  openProjectInNewWindow: (path) => calls.push(`open in a window ${path}`),
  checkForUpdates: () => calls.push('check'),
  restartToUpdate: () => calls.push('restart to update'),
  openLogs: () => calls.push('logs'),
  copyDiagnostics: () => calls.push('diagnostics'),
  safeMode: () => calls.push('safe mode'),
};
const template = (platform: NodeJS.Platform, recent: string[] = [], update: MenuFacts['update'] = null) =>
  menuTemplate({ platform, recent, safeMode: false, update }, actions);

function all(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
}

test('the menu has the edit commands that copying needs, and what each system expects', () => {
  const top = (platform: NodeJS.Platform) => template(platform).map(({ role, label }) => label ?? role);
  expect(top('darwin')).toEqual(['appMenu', 'File', 'editMenu', 'View', 'windowMenu', 'help']);
  expect(top('linux')).toEqual(['File', 'editMenu', 'View', 'windowMenu', 'help']);
  for (const platform of ['darwin', 'linux', 'win32'] as const)
    expect(all(template(platform)).filter(({ role }) => role === 'quit')).toHaveLength(1);
});

test('every entry does something, by itself or by the system, and nothing twice', () => {
  const items = all(template('linux', ['/work/a & b']));
  for (const item of items) {
    const does = [item.role, item.click, item.submenu, item.type === 'separator', item.enabled === false];
    expect(does.filter(Boolean), JSON.stringify(item)).toHaveLength(
      item.role !== undefined && item.submenu !== undefined ? 2 : 1,
    );
  }
  calls.length = 0;
  for (const item of items) (item.click as (() => void) | undefined)?.();
  expect(calls).toEqual([
    ...['run new', 'run batch', 'new window', 'run attach', 'open /work/a & b'],
    ...['open in a window /work/a & b', 'run settings'],
    ...[
      'run palette',
      'run inbox',
      'run sidebar',
      'run inspector',
      'run shortcuts',
      'logs',
      'diagnostics',
      'safe mode',
    ],
  ]);
  expect(items.map(({ label }) => label)).toContain('a && b — /work/a && b');
});

test('keys that the page handles are only shown', () => {
  for (const item of all(template('linux')))
    if (item.accelerator !== undefined && item.label !== 'New Window') expect(item.registerAccelerator).toBe(false);
});

test('updates are offered where the package says where they are, by what the app is at', () => {
  const help = (update: MenuFacts['update']) => all(template('linux', [], update)).slice(-1)[0];
  expect(help(null)?.label).toBe('Restart in Safe Mode');
  calls.length = 0;
  for (const does of ['check', 'restart'] as const)
    (help({ label: 'Update', does })?.click as (() => void) | undefined)?.();
  expect(calls).toEqual(['check', 'restart to update']);
  expect(help({ label: 'Looking…', does: null })).toEqual({ label: 'Looking…', enabled: false });
});

test('the dock offers a window and the projects', () => {
  const items = dockTemplate(['/work/a'], actions);
  calls.length = 0;
  for (const item of items) (item.click as (() => void) | undefined)?.();
  expect(calls).toEqual(['new window', 'open /work/a']);
});
