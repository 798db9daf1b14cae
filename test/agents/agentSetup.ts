import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentProgram } from './clis.ts';

/** How to run a real agent against the mock provider. */
export interface AgentSetup {
  readonly agent: string;
  readonly program: string;
  /** Sets the agent's model, the mock's address and a separate home. */
  env(place: { home: string; url: string }): Record<string, string>;
  /** Settings files that answer the questions of a first start. */
  prepare(place: { home: string; cwd: string; hooks: (event: string) => string }): void;
  /** Arguments to run one prompt headless, with every tool allowed. */
  headless(prompt: string, url: string): string[];
  /** Arguments to start the full-screen program, which asks before it runs a command. */
  interactive(url: string): string[];
  /** The screen text that shows that the program accepts input. */
  readonly ready: RegExp;
  /** How long to wait before typing, since the first keys get lost. */
  readonly settleMs: number;
  /** Whether to paste a prompt instead of typing it. */
  readonly takesPastes: boolean;
  /** The screen text of a request for approval. */
  readonly question: string;
  /** The keys that allow and deny a request. */
  readonly allow: string;
  readonly deny: string;
  /** Whether the agent retries an answer that breaks off. */
  readonly resumesStreams: boolean;
  /** Whether the agent reports the end of a turn other than by its title. */
  readonly tellsTurnEnds: boolean;
  /** Whether the agent reports the subject of a request for approval with default settings. */
  readonly tellsQuestions: boolean;
  /** How to exit the program. */
  readonly quit: string;
}

const DUMMY_KEY = 'sk-ant-dummy-00000000000000000000';

function writeJson(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

const claude: AgentSetup = {
  agent: 'claudeCode',
  program: agentProgram('claude'),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: `${url}/claude`,
    ANTHROPIC_API_KEY: DUMMY_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  prepare: ({ home, cwd }) =>
    writeJson(path.join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      // Without this, Claude Code may ask whether to make auto its default mode, and take the first
      // Enter as a yes.
      hasSeenAutoDefaultNudge: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)] },
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    }),
  headless: (prompt) => [
    '-p',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Bash',
    '--',
    prompt,
  ],
  interactive: () => ['--permission-mode', 'default'],
  ready: /\? for shortcuts|❯/,
  resumesStreams: true,
  tellsTurnEnds: true,
  tellsQuestions: true,
  settleMs: 500,
  takesPastes: false,
  question: 'Do you want to proceed',
  allow: '\r',
  deny: '\x1b',
  quit: '/exit',
};

const codexProvider = (url: string): string[] =>
  [
    'model_provider="mock"',
    'model_providers.mock.name="mock"',
    `model_providers.mock.base_url="${url}/codex"`,
    'model_providers.mock.env_key="MOCK_KEY"',
    'model_providers.mock.wire_api="responses"',
    'model_providers.mock.supports_websockets=false',
  ].flatMap((setting) => ['-c', setting]);

const codex: AgentSetup = {
  agent: 'codex',
  program: agentProgram('codex'),
  env: ({ home }) => ({ MOCK_KEY: 'dummy', CODEX_HOME: path.join(home, '.codex') }),
  prepare: ({ home, cwd }) => {
    mkdirSync(path.join(home, '.codex'), { recursive: true });
    const trust = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
    writeFileSync(path.join(home, '.codex/config.toml'), trust);
  },
  headless: (prompt, url) => [
    'exec',
    '--dangerously-bypass-approvals-and-sandbox',
    '--skip-git-repo-check',
    ...codexProvider(url),
    prompt,
  ],
  interactive: (url) => ['-a', 'on-request', '-s', 'read-only', ...codexProvider(url)],
  ready: /›/,
  resumesStreams: true,
  tellsTurnEnds: true,
  tellsQuestions: false,
  settleMs: 1000,
  takesPastes: true,
  question: 'Press enter to confirm',
  allow: '\r',
  deny: '\x1b',
  quit: '/quit',
};

const gemini: AgentSetup = {
  agent: 'gemini',
  program: agentProgram('gemini'),
  env: ({ url }) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: `${url}/gemini` }),
  prepare: ({ home, cwd, hooks }) => {
    const events = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'Notification'];
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { sessionRetention: { enabled: false }, disableAutoUpdate: true },
      // Only settings files can add hooks; this home belongs to the test.
      hooks: Object.fromEntries(
        [...events, 'AfterAgent', 'SessionEnd'].map((event) => {
          const hook = { type: 'command', name: 'ah', command: hooks(event), timeout: 10_000 };
          return [event, [{ matcher: '*', hooks: [hook] }]];
        }),
      ),
    };
    writeJson(path.join(home, '.gemini/settings.json'), settings);
    writeJson(path.join(home, '.gemini/trustedFolders.json'), { [cwd]: 'TRUST_FOLDER' });
  },
  headless: (prompt) => ['-y', '--skip-trust', '-p', prompt],
  interactive: () => [],
  ready: /Type your message/,
  resumesStreams: false,
  tellsTurnEnds: false,
  tellsQuestions: false,
  settleMs: 1000,
  takesPastes: false,
  question: 'Allow once',
  allow: '\r',
  deny: '\x1b',
  quit: '/quit',
};

const opencode: AgentSetup = {
  agent: 'opencode',
  program: agentProgram('opencode'),
  env: ({ url }) => ({
    // Without these settings, opencode waits for a network that doesn't exist.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    // opencode installs a package into every new home; with a closed port, that fails fast.
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: 'mock/mock-model',
      small_model: 'mock/mock-model',
      autoupdate: false,
      permission: { bash: 'ask' },
      provider: {
        mock: {
          npm: '@ai-sdk/anthropic',
          name: 'mock',
          options: { baseURL: `${url}/opencode/v1`, apiKey: 'dummy' },
          models: { 'mock-model': { name: 'Mock' } },
        },
      },
    }),
  }),
  prepare: () => {},
  headless: (prompt) => ['run', '--auto', prompt],
  interactive: () => [],
  ready: /Ask anything/,
  resumesStreams: true,
  tellsTurnEnds: true,
  tellsQuestions: true,
  settleMs: 2000,
  takesPastes: false,
  question: 'Allow once',
  allow: '\r',
  deny: '\x1b',
  quit: '/exit',
};

const copilot: AgentSetup = {
  agent: 'copilot',
  program: agentProgram('copilot'),
  env: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/copilot`,
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'claude-sonnet-4.5',
  }),
  prepare: ({ home, cwd }) =>
    writeJson(path.join(home, '.copilot/config.json'), { trusted_folders: [cwd] }),
  headless: (prompt) => ['--allow-all-tools', '-p', prompt],
  interactive: () => [],
  ready: /commands · . help/,
  resumesStreams: true,
  tellsTurnEnds: true,
  tellsQuestions: true,
  settleMs: 5000,
  takesPastes: false,
  question: 'Do you want to run this command',
  allow: '\r',
  deny: '\x1b',
  quit: '/exit',
};

export const AGENT_SETUPS: readonly AgentSetup[] = [claude, codex, gemini, opencode, copilot];
