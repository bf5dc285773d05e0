import { expect, test } from 'vitest';
import { toolEnvironment } from './tool-environment.ts';

test('K5: our own variables, keys, git overrides and the Electron switch are removed; the marker is set', () => {
  const base = {
    PATH: '/usr/bin',
    HOME: '/home/me',
    EMPTY: '',
    UNSET: undefined,
    ESPALIER_RUN: 'run_of_a_parent',
    ESPALIER_TOKEN: 'secret',
    ELECTRON_RUN_AS_NODE: '1',
    ANTHROPIC_API_KEY: 'key',
    My_Key: 'key',
    GIT_DIR: '/elsewhere/.git',
    GIT_WORK_TREE: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere/index',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_AUTHOR_NAME: 'Me',
    GIT_SSH_COMMAND: 'ssh -i id',
  };
  const before = { ...base };
  expect(toolEnvironment(base, { runId: 'run_1', drop: ['ANTHROPIC_API_KEY', 'MY_KEY'] })).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/me',
    EMPTY: '',
    GIT_AUTHOR_NAME: 'Me',
    GIT_SSH_COMMAND: 'ssh -i id',
    ESPALIER_RUN: 'run_1',
  });
  expect(base).toEqual(before);
});
