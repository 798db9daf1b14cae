/** An agent with an adapter. */
export interface KnownAgent {
  /** Stored in settings and sessions: it must not change. */
  readonly id: string;
  readonly name: string;
  /** Names of its program, the most common first. */
  readonly programs: readonly string[];
  /** Names of its package in the npm registry, the current one first. */
  readonly packages: readonly string[];
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    id: 'claudeCode',
    name: 'Claude Code',
    programs: ['claude'],
    packages: ['@anthropic-ai/claude-code'],
  },
  { id: 'codex', name: 'Codex', programs: ['codex'], packages: ['@openai/codex'] },
  { id: 'gemini', name: 'Gemini CLI', programs: ['gemini'], packages: ['@google/gemini-cli'] },
  { id: 'opencode', name: 'opencode', programs: ['opencode'], packages: ['opencode-ai'] },
  { id: 'copilot', name: 'Copilot CLI', programs: ['copilot'], packages: ['@github/copilot'] },
];

export interface InstalledAgent {
  readonly agent: KnownAgent;
  /** Absolute path. */
  readonly program: string;
  /** For example `2.1.9`; undefined when the agent reports none. */
  readonly version: string | undefined;
}

/** Interface to the programs on this machine. */
export interface AgentProbe {
  /** The absolute path of an executable program by name or path; undefined when there is none. */
  find(program: string): string | undefined;
  /** The output of `program --version`; undefined when it fails or takes too long. */
  versionText(program: string): Promise<string | undefined>;
}

/**
 * Finds the installed agents, in the order of {@link KNOWN_AGENTS}.
 *
 * @param executables paths to use instead of PATH, by agent ID
 */
export async function detectAgents(
  probe: AgentProbe,
  executables: Readonly<Record<string, string>> = {},
): Promise<InstalledAgent[]> {
  const found = await Promise.all(
    KNOWN_AGENTS.map(async (agent) => {
      const executable = executables[agent.id];
      const programs = executable ? [executable] : agent.programs;
      const program = programs.map((name) => probe.find(name)).find((file) => file !== undefined);
      if (program === undefined) return undefined;
      return { agent, program, version: versionIn(await probe.versionText(program)) };
    }),
  );
  return found.filter((agent) => agent !== undefined);
}

/** Extracts the version: agents print it together with their name or a build. */
function versionIn(text: string | undefined): string | undefined {
  return /\d+\.\d+(\.\d+)?(-[\w.]+)?/.exec(text ?? '')?.[0];
}
