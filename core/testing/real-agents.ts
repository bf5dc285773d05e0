import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The agent programs that are pinned in `e2e/agents`. */
export type RealAgent = 'claude' | 'codex' | 'gemini' | 'opencode' | 'pi' | 'claude-agent-acp' | 'codex-acp';

/** How a real agent is started by a test: its program and the environment that keeps it in a private home, on the scripted model. */
export interface RealProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A long key that no other text holds: some agents blot the key out wherever it appears in their stream. */
export const REAL_AGENT_KEY = 'scripted-key-0123456789abcdef';

/** The model that all of them ask for. */
const REAL_AGENT_MODEL = 'scripted-model';

const INSTALL = join(dirname(fileURLToPath(import.meta.url)), '../../bin/agents-install.mjs');

/** Which programs: see `bin/setup/agents.mjs`. */
type AgentSet = 'tests' | 'all' | 'peers';

const installs = new Map<AgentSet, Promise<string>>();

/**
 * The folder of the pinned programs, installed if it is missing: `tests` holds claude and codex-acp, `all` all, `peers` what a bench needs beside them. Minutes when it has to
 * install, so give a hook the time. Rejects with npm's words when it cannot.
 */
export function installRealAgents(set: AgentSet): Promise<string> {
  const known = installs.get(set);
  if (known) return known;
  const installing = new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [INSTALL, '--only', set], (error, stdout, stderr) => {
      if (error) reject(new Error(`the agent programs could not be installed: ${stderr.trim()}`, { cause: error }));
      else resolve(stdout.trim());
    });
  });
  installs.set(set, installing);
  return installing;
}

const NATIVE: Readonly<Record<string, string>> = {
  x64: 'x86_64-unknown-linux-musl',
  arm64: 'aarch64-unknown-linux-musl',
};

/** The programs themselves, not the launchers that npm links: one process less, and no install script is needed. */
const PROGRAMS: { readonly [A in RealAgent]: { readonly file: string; readonly node: boolean } } = {
  claude: { file: `@anthropic-ai/claude-code-linux-${process.arch}/claude`, node: false },
  codex: { file: `@openai/codex-linux-${process.arch}/vendor/${NATIVE[process.arch] ?? ''}/bin/codex`, node: false },
  gemini: { file: '@google/gemini-cli/bundle/gemini.js', node: true },
  opencode: { file: `opencode-linux-${process.arch}/bin/opencode`, node: false },
  pi: { file: '@earendil-works/pi-coding-agent/dist/bundle/cli.js', node: true },
  'claude-agent-acp': { file: '@agentclientprotocol/claude-agent-acp/dist/index.js', node: true },
  'codex-acp': { file: '@agentclientprotocol/codex-acp/dist/index.js', node: true },
};

/**
 * One agent in a home of its own, talking to the scripted model at `modelUrl` (without a path).
 * @param folder the result of {@link installRealAgents}
 * @param home a folder that is made, and holds all that the agent writes outside its workspace
 */
export function realProgram(agent: RealAgent, folder: string, home: string, modelUrl: string): RealProgram {
  const { file, node } = PROGRAMS[agent];
  const path = join(folder, 'node_modules', file);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const env = {
    HOME: home,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    ...CONFIGURE[agent](home, modelUrl),
  };
  return node ? { command: process.execPath, args: [path], env } : { command: path, args: [], env };
}

type Configure = (home: string, modelUrl: string) => Record<string, string>;

function write(home: string, name: string, text: string): void {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const claude: Configure = (_home, modelUrl) => ({
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: REAL_AGENT_KEY,
  ANTHROPIC_MODEL: REAL_AGENT_MODEL,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  IS_SANDBOX: '1',
});

const codex: Configure = (home, modelUrl) => {
  write(
    home,
    '.codex/config.toml',
    [
      `model = "${REAL_AGENT_MODEL}"`,
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      '',
    ].join('\n'),
  );
  return { SCRIPTED_KEY: REAL_AGENT_KEY };
};

const CONFIGURE: { readonly [A in RealAgent]: Configure } = {
  claude,
  'claude-agent-acp': claude,
  codex,
  'codex-acp': codex,
  gemini: (home, modelUrl) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    write(home, '.gemini/settings.json', JSON.stringify(settings));
    return {
      GEMINI_API_KEY: REAL_AGENT_KEY,
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    };
  },
  opencode: (_home, modelUrl) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${modelUrl}/v1`, apiKey: REAL_AGENT_KEY },
          models: { [REAL_AGENT_MODEL]: {} },
        },
      },
      model: `scripted/${REAL_AGENT_MODEL}`,
      small_model: `scripted/${REAL_AGENT_MODEL}`,
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  pi: (home, modelUrl) => {
    const provider = {
      baseUrl: `${modelUrl}/v1`,
      api: 'openai-completions',
      apiKey: REAL_AGENT_KEY,
      models: [{ id: REAL_AGENT_MODEL, name: REAL_AGENT_MODEL, contextWindow: 200_000, maxTokens: 8000 }],
    };
    write(home, '.pi/agent/models.json', JSON.stringify({ providers: { scripted: provider } }));
    return {};
  },
};
