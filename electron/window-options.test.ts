import { expect, test } from 'vitest';
import { unpackedRoot } from './package-root.ts';
import { windowOptions } from './window-options.ts';

const PLACE = { width: 1440, height: 900, maximized: true };

test('the page is isolated, sandboxed and without Node', () => {
  expect(windowOptions(PLACE, '/app/preload.cjs').webPreferences).toEqual({
    preload: '/app/preload.cjs',
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    backgroundThrottling: false,
    spellcheck: false,
  });
});

test('a window opens hidden and at its place', () => {
  expect(windowOptions({ ...PLACE, x: 3, y: 4 }, '/app/preload.cjs')).toMatchObject({
    x: 3,
    y: 4,
    width: 1440,
    height: 900,
    show: false,
  });
});

test('files that other processes read are beside the archive', () => {
  expect(unpackedRoot('/opt/espalier/resources/app.asar')).toBe('/opt/espalier/resources/app.asar.unpacked');
  expect(unpackedRoot('/home/a/espalier')).toBe('/home/a/espalier');
});
