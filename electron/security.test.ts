import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONTENT_POLICY, isPermitted } from './content-policy.ts';
import { outsideTarget } from './link-policy.ts';
import { APP_URL, isTrustedSender } from './own-page.ts';
import { windowOptions } from './window-options.ts';

/** Electron's own security checklist, item by item, on options and source; that Chromium keeps to them is Electron's. */
const options = windowOptions({ width: 1, height: 1, maximized: false }, '/preload.cjs').webPreferences ?? {};
const sources = new Map(
  readdirSync(import.meta.dirname)
    .filter((name) => /^[^.]+\.ts$/.test(name))
    .map((name) => [name, readFileSync(new URL(name, import.meta.url), 'utf8')] as const),
);
const filesWith = (text: RegExp): string[] =>
  [...sources].flatMap(([name, source]) => (text.test(source) ? [name] : []));

test('1, 12: only our own files are loaded: the page is app://, and no other address is written anywhere', () => {
  expect(APP_URL).toBe('app://espalier/');
  expect(filesWith(/['"`]https?:\/\//)).toEqual([]);
  expect(filesWith(/\.loadURL\(|\.loadFile\(/)).toEqual(['window.ts']);
});

test('2, 3, 4: no Node in the page, an isolated context, a sandbox', () => {
  expect(options).toMatchObject({
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    contextIsolation: true,
    sandbox: true,
  });
});

test('5: what a page may ask of the browser is decided, and nearly nothing', () => {
  expect(['media', 'geolocation', 'notifications', 'midi', 'openExternal', 'fullscreen'].filter(isPermitted)).toEqual(
    [],
  );
  expect(filesWith(/setPermissionRequestHandler/)).toEqual(['window.ts']);
  expect(filesWith(/setPermissionCheckHandler/)).toEqual(['window.ts']);
});

test('6, 8, 9, 10: web security stays on, nothing insecure or experimental is allowed', () => {
  expect(options.webSecurity).toBe(true);
  expect(options.allowRunningInsecureContent).toBe(false);
  expect(options).not.toHaveProperty('experimentalFeatures');
  expect(options).not.toHaveProperty('enableBlinkFeatures');
});

test('7: a strict content policy, without eval and inline scripts', () => {
  expect(CONTENT_POLICY).toContain("default-src 'none'");
  expect(CONTENT_POLICY).toContain("script-src 'self';");
  expect(CONTENT_POLICY).not.toContain('unsafe-eval');
});

test('11: there are no webviews', () => {
  expect(options.webviewTag).toBe(false);
  expect(sources.get('window.ts')).toContain("'will-attach-webview'");
});

test('13, 14: pages go nowhere else and open no windows', () => {
  for (const event of ['will-frame-navigate', 'will-redirect'])
    expect(sources.get('window.ts')).toContain(`'${event}'`);
  expect(sources.get('window.ts')).toMatch(/setWindowOpenHandler[^]*action: 'deny'/);
});

test('15: what is opened outside is web and mail alone, in one place', () => {
  expect(filesWith(/openExternal\(/)).toEqual(['window.ts']);
  expect(outsideTarget('file:///etc/passwd')).toBeNull();
});

test('17: every message of a page is heard only from our own top frame', () => {
  const bridge = sources.get('page-bridge.ts') ?? '';
  expect(bridge.match(/ipcMain\.(?:on|handle)\(/g)).toHaveLength(4);
  expect(bridge.match(/isTrustedSender\(/g)).toHaveLength(4);
  expect(filesWith(/ipcMain\.(?:on|handle)\(/)).toEqual(['page-bridge.ts']);
  expect(isTrustedSender({ url: 'app://espalier/', parent: {} })).toBe(false);
  expect(isTrustedSender({ url: 'https://evil.example/', parent: null })).toBe(false);
});

test('18, 20: no file protocol for the page, and nothing of Electron itself goes over the bridge', () => {
  const preload = sources.get('preload.ts') ?? '';
  expect(preload.split('\n').length).toBeLessThan(40);
  expect(preload).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer\)|: ipcRenderer\.(?:on|send|invoke),/);
  expect(filesWith(/file:\/\//)).toEqual([]);
});

test('19: the fuses are set as decision 0006 says', () => {
  const config = parse(readFileSync(new URL('../electron-builder.yml', import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(config['electronFuses']).toEqual({
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
  expect(config['asar']).toBe(true);
  expect(config['publish']).toBeNull();
});
