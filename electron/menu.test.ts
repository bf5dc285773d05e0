import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { menuTemplate, type MenuActions } from './menu.ts';

const calls: string[] = [];
const actions: MenuActions = {
  runCommand: (command) => calls.push(`run ${command}`),
  newWindow: () => calls.push('new window'),
  openProject: (path) => calls.push(`open ${path}`),
  openLogs: () => calls.push('logs'),
  copyDiagnostics: () => calls.push('diagnostics'),
  safeMode: () => calls.push('safe mode'),
};
const template = (platform: NodeJS.Platform, recent: string[] = []): MenuItemConstructorOptions[] =>
  menuTemplate({ platform, recent, safeMode: false }, actions);

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
    ...['run new', 'run batch', 'new window', 'run attach', 'open /work/a & b', 'run settings'],
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
