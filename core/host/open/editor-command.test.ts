import { describe, expect, test } from 'vitest';
import { editorCommand, type EditorWorld } from './editor-command.ts';

const target = { path: '/p/a "b" $(x).ts', line: 7 };

function world(programs: readonly string[], part: Partial<EditorWorld> = {}): EditorWorld {
  return {
    setting: undefined,
    environment: {},
    find: (program) => (programs.includes(program) ? `/bin/${program}` : null),
    ...part,
  };
}

describe('the editor that opens a file', () => {
  test('the setting wins, path and line are put in, and an odd path stays one argument', () => {
    const setting = ['myedit', '-l', '{line}', 'file={path}'];
    expect(editorCommand(target, world(['code', 'myedit'], { setting }))).toEqual({
      ok: true,
      value: { name: 'myedit', program: '/bin/myedit', args: ['-l', '7', `file=${target.path}`] },
    });
    const bare = editorCommand(target, world(['myedit'], { setting: ['myedit'] }));
    expect(bare).toMatchObject({ value: { args: [target.path] } });
  });

  test('a setting whose program is missing is refused by name, and nothing else is opened', () => {
    const answer = editorCommand(target, world(['code'], { setting: ['gone', '{path}'] }));
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('gone') as string });
  });

  test('$VISUAL before $EDITOR before what is found; arguments of theirs are not ours', () => {
    const environment = { VISUAL: 'subl --wait', EDITOR: 'code' };
    expect(editorCommand(target, world(['code', 'subl'], { environment }))).toMatchObject({
      value: { program: '/bin/subl', args: [`${target.path}:7`] },
    });
    expect(editorCommand(target, world(['code', 'zed']))).toMatchObject({ value: { name: 'Visual Studio Code' } });
    expect(editorCommand(target, world(['idea']))).toMatchObject({ value: { args: ['--line', '7', target.path] } });
  });

  test('an editor of the terminal is not started without one, and that is said', () => {
    const answer = editorCommand(target, world(['vim'], { environment: { EDITOR: 'vim' } }));
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('vim runs in a terminal') as string });
    expect(editorCommand(target, world(['vim', 'code'], { environment: { EDITOR: 'vim' } }))).toMatchObject({
      value: { program: '/bin/code' },
    });
  });

  test('none at all: what was looked for and what to do', () => {
    expect(editorCommand(target, world([]))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/No editor .* settings\.json/s) as string,
    });
  });
});
