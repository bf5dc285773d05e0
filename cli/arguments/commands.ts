import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { settingsHelp } from './help.ts';

/** That of S5, written out: its schema is not loaded for a command line. */
const MOST_CONCURRENT = 256;

const JSON_FLAG: OptionSpec = { help: 'print JSON on stdout' };

const DISPATCH: Readonly<Record<string, OptionSpec>> = {
  project: { value: 'DIR', help: 'project folder (default: the current folder)' },
  agent: { value: 'ID', help: 'agent of tasks that name none' },
  model: { value: 'P/M', help: 'model of tasks that name none, as provider/model' },
  isolation: { value: 'KIND', choices: ['none', 'worktree'], help: 'isolation of tasks that name none' },
  permission: {
    value: 'MODE',
    choices: ['plan', 'ask', 'edit', 'auto'],
    help: 'permission mode of tasks that name none',
  },
  'max-concurrent': { value: 'N', number: 'whole', most: MOST_CONCURRENT, help: 'tasks at work at once' },
  timeout: { value: 'SECONDS', number: 'positive', help: 'time limit of tasks that name none' },
  'max-cost': { value: 'USD', number: 'positive', help: 'money limit; can only lower those of the settings' },
  json: JSON_FLAG,
  detach: { help: 'start in the background and print where' },
};

/** One prompt is one run: the same options, in its words. */
const PROMPT: Readonly<Record<string, OptionSpec>> = {
  ...DISPATCH,
  agent: { value: 'ID', help: 'agent that answers (default: defaultAgent of the settings)' },
  model: { value: 'P/M', help: 'its model, as provider/model (default: that of the agent, or defaultModel)' },
  isolation: { value: 'KIND', choices: ['none', 'worktree'], help: 'isolation of the run' },
  permission: { value: 'MODE', choices: ['plan', 'ask', 'edit', 'auto'], help: 'permission mode of the run' },
  'max-concurrent': {
    value: 'N',
    number: 'whole',
    most: MOST_CONCURRENT,
    help: 'taken as by run; a prompt is one run, so it changes nothing',
  },
  timeout: { value: 'SECONDS', number: 'positive', help: 'time limit of the run' },
};

const DISPATCH_STATUS = [
  'Exit status: 0 all completed without caveat; 1 something ended otherwise; 2 usage or a task that is not valid,',
  'nothing was started; 3 the machine: the data folder, no agent, no disk; 130 Ctrl-C.',
];

/** All commands. What a command needs is loaded only when it runs. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    usage: 'FILE|-',
    summary: 'validate and run a batch of tasks',
    takes: { min: 1, max: 1 },
    options: DISPATCH,
    status: DISPATCH_STATUS,
    load: () => import('../commands/run.ts'),
  },
  {
    name: 'prompt',
    usage: 'TEXT|-',
    summary: 'give one agent a prompt and print its answer',
    takes: { min: 1, max: 1 },
    options: PROMPT,
    status: DISPATCH_STATUS,
    load: () => import('../commands/prompt.ts'),
  },
  {
    name: 'serve',
    usage: '',
    summary: 'host the core and the web app',
    takes: { min: 0, max: 0 },
    options: {
      port: { value: 'PORT', number: 'port', help: 'port to listen on (default 0: a free one)' },
      host: { value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
      open: { help: 'open the web app in the browser' },
      json: JSON_FLAG,
    },
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'mcp',
    usage: '',
    summary: 'let an MCP client delegate through Espalier, over stdio',
    takes: { min: 0, max: 0 },
    options: {
      project: { value: 'DIR', help: 'project folder (default: the current folder)' },
      'print-config': {
        value: 'CLIENT',
        choices: ['claude', 'codex', 'gemini', 'opencode'],
        help: 'print what to put into the settings of a client, and end',
      },
    },
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'desktop',
    usage: '[FILE…]',
    summary: 'open the desktop app',
    takes: { min: 0, max: 100 },
    options: {},
    load: () => import('../commands/desktop.ts'),
  },
  {
    name: 'list',
    usage: '',
    summary: 'conversations, sets and runs',
    takes: { min: 0, max: 0 },
    options: { all: { help: 'also archived conversations, and every run' }, json: JSON_FLAG },
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'show',
    usage: 'ID',
    summary: 'one conversation, set or run with its result',
    takes: { min: 1, max: 1 },
    options: { json: JSON_FLAG },
    load: () => import('../commands/show.ts'),
  },
  {
    name: 'tail',
    usage: 'RUN',
    summary: 'the transcript of a run',
    takes: { min: 1, max: 1 },
    options: { follow: { help: 'go on until the run ends' }, json: { help: 'print one entry a line as JSON' } },
    load: () => import('../commands/tail.ts'),
  },
  {
    name: 'steer',
    usage: 'RUN TEXT',
    summary: 'send a message to a run at work',
    takes: { min: 2, max: 2 },
    options: {
      mode: {
        value: 'MODE',
        choices: ['steer', 'follow_up'],
        help: 'heard at the next safe boundary, or after the answer',
      },
    },
    load: () => import('../commands/steer.ts'),
  },
  {
    name: 'stop',
    usage: 'ID',
    summary: 'stop a run, set or conversation and all below it',
    status: ['Exit status: 0 stopped; 1 not found, or processes survived; 2 usage; 3 the machine.'],
    takes: { min: 1, max: 1 },
    options: { json: JSON_FLAG },
    load: () => import('../commands/stop.ts'),
  },
  ...controlCommands(),
  {
    name: 'answer',
    usage: 'ID once|run|set|project|deny|TEXT',
    summary: 'answer a permission or a question',
    takes: { min: 2, max: 2 },
    options: { note: { value: 'TEXT', help: 'told to the agent with the answer' } },
    load: () => import('../commands/answer.ts'),
  },
  ...projectCommands(),
  {
    name: 'agents list',
    usage: '',
    summary: 'agents that tasks may name, and where they are defined',
    takes: { min: 0, max: 0 },
    options: { project: { value: 'DIR', help: 'also those that this project defines' }, json: JSON_FLAG },
    load: () => import('../commands/agents-list.ts'),
  },
  {
    name: 'doctor',
    usage: '',
    summary: 'check this machine and the data folder',
    status: ['Exit status: 0 all is well; 2 usage; 3 something has to be mended.'],
    takes: { min: 0, max: 0 },
    options: { json: JSON_FLAG },
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'gc',
    usage: '',
    summary: 'delete what Espalier made and need not keep',
    status: ['Exit status: 0 done; 1 something could not be deleted; 2 usage; 3 the machine.'],
    takes: { min: 0, max: 0 },
    options: { 'dry-run': { help: 'only list what would go, and why' }, json: JSON_FLAG },
    load: () => import('../commands/gc.ts'),
  },
  ...configCommands(),
  {
    name: 'export',
    usage: 'ID',
    summary: 'write a conversation, set or run to stdout',
    takes: { min: 1, max: 1 },
    options: { format: { value: 'FORMAT', choices: ['json', 'md', 'html'], help: 'default: md' } },
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'host-in-background',
    usage: '',
    summary: 'host the core until nothing is at work',
    takes: { min: 0, max: 0 },
    options: {},
    hidden: true,
    load: () => import('../commands/host-in-background.ts'),
  },
];

function controlCommands(): CommandSpec[] {
  const gate = (name: 'pause' | 'resume', summary: string): CommandSpec => ({
    name,
    usage: 'ID|--all',
    summary,
    takes: { min: 0, max: 1 },
    options: { all: { help: 'everything' } },
    load: () => import('../commands/gate.ts').then(({ pause, resume }) => ({ run: name === 'pause' ? pause : resume })),
  });
  return [
    gate('pause', 'start nothing more in a set or conversation, or hold a run'),
    gate('resume', 'undo a pause'),
    {
      name: 'retry',
      usage: 'RUN',
      summary: 'run an ended task again in its place',
      takes: { min: 1, max: 1 },
      options: {
        goal: { value: 'TEXT', help: 'another goal' },
        agent: { value: 'ID', help: 'another agent' },
        model: { value: 'P/M', help: 'another model, as provider/model' },
      },
      load: () => import('../commands/retry.ts'),
    },
    {
      name: 'continue',
      usage: 'RUN TEXT',
      summary: 'go on with an ended run, with a message',
      takes: { min: 2, max: 2 },
      options: {},
      load: () => import('../commands/continue.ts'),
    },
    {
      name: 'add',
      usage: 'SET FILE|-',
      summary: 'add tasks to a set at work',
      takes: { min: 2, max: 2 },
      options: {},
      load: () => import('../commands/add.ts'),
    },
  ];
}

function projectCommands(): CommandSpec[] {
  const load = (action: 'add' | 'list' | 'trust' | 'remove') => async () => {
    const module = await import('../commands/projects.ts');
    return { run: module[action] };
  };
  return [
    {
      name: 'projects add',
      usage: 'DIR',
      summary: 'attach a folder',
      takes: { min: 1, max: 1 },
      options: { json: JSON_FLAG },
      load: load('add'),
    },
    {
      name: 'projects list',
      usage: '',
      summary: 'attached folders',
      takes: { min: 0, max: 0 },
      options: { json: JSON_FLAG },
      load: load('list'),
    },
    {
      name: 'projects trust',
      usage: 'ID|DIR',
      summary: 'let a project bring agents and settings of its own',
      takes: { min: 1, max: 1 },
      options: { revoke: { help: 'take the trust back' }, json: JSON_FLAG },
      load: load('trust'),
    },
    {
      name: 'projects remove',
      usage: 'ID|DIR',
      summary: 'take a folder off the list; its files stay',
      takes: { min: 1, max: 1 },
      options: {},
      load: load('remove'),
    },
  ];
}

function configCommands(): CommandSpec[] {
  const load = (action: 'get' | 'set' | 'path') => async () => {
    const module = await import('../commands/config.ts');
    return { run: module[action] };
  };
  return [
    {
      name: 'config get',
      usage: '[KEY]',
      summary: 'print the settings, or one of them',
      takes: { min: 0, max: 1 },
      options: {},
      more: settingsHelp,
      load: load('get'),
    },
    {
      name: 'config set',
      usage: 'KEY VALUE',
      summary: 'change one setting; VALUE is JSON or text, null takes it back to its default',
      takes: { min: 2, max: 2 },
      takesBlank: true,
      options: {},
      more: settingsHelp,
      load: load('set'),
    },
    {
      name: 'config path',
      usage: '',
      summary: 'print where the settings are',
      takes: { min: 0, max: 0 },
      options: {},
      load: load('path'),
    },
  ];
}
