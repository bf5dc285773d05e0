import { describe, expect, test } from 'vitest';
import { BATCH_MAXIMA } from '../../core/protocol/batch.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, programHelp } from './help.ts';
import { parseArguments } from './parse-arguments.ts';

const parse = (line: string) => parseArguments(line === '' ? [] : line.split(' '), COMMANDS);

function problem(line: string): string {
  const parsed = parse(line);
  return parsed.ok ? 'no problem' : parsed.error.message;
}

function args(line: string) {
  const parsed = parse(line);
  if (!parsed.ok || parsed.value.type !== 'run') throw new Error(`not understood: ${line}`);
  return parsed.value;
}

describe('a command line that is understood', () => {
  test('names a command of one or two words, with options before and after its arguments', () => {
    const run = args('run --agent fast b.json --max-concurrent=3 --json');
    expect(run.spec.name).toBe('run');
    expect(run.args.positionals).toEqual(['b.json']);
    expect([run.args.text('agent'), run.args.number('max-concurrent')]).toEqual(['fast', 3]);
    expect([run.args.flag('json'), run.args.flag('detach')]).toEqual([true, false]);
    expect(args('projects add .').spec.name).toBe('projects add');
  });

  test('takes - as standard input, and text that looks like an option after --', () => {
    expect(args('run -').args.positionals).toEqual(['-']);
    expect(parseArguments(['steer', 'run_1', '--', '--faster'], COMMANDS)).toMatchObject({
      ok: true,
      value: { args: { positionals: ['run_1', '--faster'] } },
    });
  });

  test.each(['--help', '-h', 'help'])('%s shows all commands', (line) => {
    expect(parse(line)).toEqual({ ok: true, value: { type: 'help', spec: null, group: null } });
  });

  test('--help works on every command, also when its arguments are missing', () => {
    for (const spec of COMMANDS) {
      for (const line of [`${spec.name} --help`, `help ${spec.name}`, `${spec.name} -h x y z`]) {
        expect(parse(line)).toMatchObject({ ok: true, value: { type: 'help', spec: { name: spec.name } } });
      }
      expect(commandHelp(spec)).toContain(`espalier ${spec.name}`);
      for (const option of Object.keys(spec.options)) expect(commandHelp(spec)).toContain(`--${option}`);
    }
    expect(parse('projects --help')).toMatchObject({ value: { type: 'help', group: 'projects' } });
  });

  test('the help of every command names its exit statuses, once', () => {
    for (const spec of COMMANDS) expect(commandHelp(spec).split('Exit status: 0 '), spec.name).toHaveLength(2);
    expect(commandHelp(COMMANDS.find(({ name }) => name === 'run') ?? expect.fail())).toContain('130 Ctrl-C.\n');
  });

  test('the help lists every command of the contract and no internal one', () => {
    const help = programHelp(COMMANDS, null);
    for (const name of ['run', 'prompt', 'serve', 'desktop', 'list', 'show', 'tail', 'steer', 'stop', 'answer']) {
      expect(help).toContain(`\n  ${name} `.trimEnd());
    }
    for (const name of ['projects add', 'agents list', 'doctor', 'config get', 'export']) expect(help).toContain(name);
    expect(help).not.toContain('host-in-background');
    const config = programHelp(COMMANDS, 'config');
    expect(config).toMatch(/^Usage: espalier config COMMAND$/m);
    expect(config).not.toContain('projects add');
    expect(config).toMatch(/^ {2}limits\.fanOut +runs that the runs below one root may start \(64\)$/m);
    expect(help).toContain('Exit status: 0 done');
  });

  test('the help of a prompt speaks of its one run, and tells the exit statuses as that of run does', () => {
    const [run = '', prompt = ''] = ['run', 'prompt'].map((name) => {
      const spec = COMMANDS.find((one) => one.name === name);
      return spec === undefined ? '' : commandHelp(spec);
    });
    expect(run).toContain('tasks that name none');
    expect(prompt).not.toContain('tasks');
    for (const help of [run, prompt]) expect(help).toContain('130 Ctrl-C');
  });

  test('--version', () => {
    expect(parse('--version')).toEqual({ ok: true, value: { type: 'version' } });
  });
});

describe('a command line that is not understood', () => {
  test.each([
    ['', 'Name a command.'],
    ['rum', 'There is no command "rum". Did you mean "run"?'],
    ['xyzzy', 'There is no command "xyzzy".'],
    ['projects', 'Say what of "projects": add, list, trust, remove.'],
    ['projects ad', 'There is no command "projects ad". Did you mean "add"?'],
    ['run b.json --agnt x', '"run" has no option --agnt. Did you mean "--agent"?'],
    ['list --jsn', '"list" has no option --jsn. Did you mean "--json"?'],
    ['list -x', '"list" has no option -x.'],
    ['run', '"run" needs FILE|-.'],
    ['run a b', '"run" takes no "b". Put text with spaces in quotes.'],
    ['run b.json --agent', '--agent needs ID.'],
    ['run b.json --agent --json', '--agent needs ID.'],
    ['run b.json --json=yes', '--json takes no value.'],
    ['run b.json --isolation worktre', '--isolation is one of none, worktree, not "worktre". Did you mean "worktree"?'],
    ['run b.json --max-concurrent 1.5', '--max-concurrent is a whole number above 0, not "1.5".'],
    ['run b.json --max-concurrent 0', '--max-concurrent is a number above 0, not "0".'],
    ['run b.json --max-concurrent 257', `--max-concurrent is at most ${BATCH_MAXIMA.concurrency}, not 257.`],
    ['run b.json --timeout soon', '--timeout is a number above 0, not "soon".'],
    ['serve --port 70000', '--port is a port from 0 to 65535, not "70000".'],
    ['run b.json --max-cost -1', '--max-cost is a number above 0, not "-1".'],
    ['config set limits.retries -1', 'What begins with - is read as an option: put -- before -1 if it is a value.'],
    ['steer deleg_1 hello', '"steer" needs RUN TEXT; deleg_1 is a set.'],
    ['tail conv_1', '"tail" needs RUN; conv_1 is a conversation.'],
    ['add run_1 b.json', '"add" needs SET FILE|-; run_1 is a run.'],
    ['run b.json --constructor x', '"run" has no option --constructor.'],
  ])('%s → %s', (line, message) => {
    expect(problem(line)).toBe(message);
  });

  test.each(['', '  ', '\n'])('an argument that is blank (%j) is a usage problem of every command', (blank) => {
    for (const { name, usage, takes, takesBlank } of COMMANDS) {
      if (takes.max === 0 || takesBlank === true) continue;
      const least = Math.max(takes.min, 1);
      for (let at = 0; at < least; at += 1) {
        const given = Array.from({ length: least }, (_, index) => (index === at ? blank : 'x'));
        const parsed = parseArguments([...name.split(' '), ...given], COMMANDS);
        expect(parsed, name).toMatchObject({ ok: false, error: { message: expect.stringContaining('is blank.') } });
        expect(parsed).toMatchObject({ error: { message: expect.stringContaining(`"${name}" needs ${usage}`) } });
      }
    }
    const steer = parseArguments(['steer', 'run_1', blank], COMMANDS);
    expect(steer).toMatchObject({ error: { message: '"steer" needs RUN TEXT; TEXT is blank.' } });
    expect(parseArguments(['config', 'set', 'editor', blank], COMMANDS).ok).toBe(true);
    expect(parseArguments(['retry', 'run_1', '--goal', blank], COMMANDS).ok).toBe(false);
  });
});
