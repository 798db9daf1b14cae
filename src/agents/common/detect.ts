/** An agent that the product knows by name. */
export interface KnownAgent {
  /** Stable: kept in settings and with sessions. */
  readonly id: string;
  readonly name: string;
  /** Names its program goes by, the usual one first. */
  readonly programs: readonly string[];
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { id: 'claudeCode', name: 'Claude Code', programs: ['claude'] },
  { id: 'codex', name: 'Codex', programs: ['codex'] },
  { id: 'gemini', name: 'Gemini CLI', programs: ['gemini'] },
  { id: 'opencode', name: 'opencode', programs: ['opencode'] },
  { id: 'copilot', name: 'Copilot CLI', programs: ['copilot'] },
];

export interface InstalledAgent {
  readonly agent: KnownAgent;
  /** Absolute path. */
  readonly program: string;
  /** As the agent says it, such as `2.1.9`; undefined when it does not. */
  readonly version: string | undefined;
}

/** What finding agents needs of the machine. */
export interface AgentProbe {
  /** The absolute path of a program by its name or path, undefined when there is none that runs. */
  find(program: string): string | undefined;
  /** What `program --version` prints, undefined when it fails or takes too long. */
  versionText(program: string): Promise<string | undefined>;
}

/**
 * The agents that are installed, in the order of {@link KNOWN_AGENTS}.
 *
 * @param executables where to look instead of PATH, by agent id
 */
export async function detectAgents(
  probe: AgentProbe,
  executables: Readonly<Record<string, string>> = {},
): Promise<InstalledAgent[]> {
  const found = await Promise.all(
    KNOWN_AGENTS.map(async (agent) => {
      const programs = executables[agent.id] ? [executables[agent.id]!] : agent.programs;
      const program = programs.map((name) => probe.find(name)).find((file) => file !== undefined);
      if (program === undefined) return undefined;
      return { agent, program, version: versionIn(await probe.versionText(program)) };
    }),
  );
  return found.filter((agent) => agent !== undefined);
}

/** The agent that a command line starts, by the name of its program. */
export function agentOfCommand(command: readonly string[]): KnownAgent | undefined {
  const program = command[0]?.replace(/^.*[/\\]/, '').replace(/\.(exe|cmd|bat)$/i, '');
  return KNOWN_AGENTS.find(({ programs }) => program !== undefined && programs.includes(program));
}

/** Agents surround their version with their name, a build, a second line. */
function versionIn(text: string | undefined): string | undefined {
  return /\d+\.\d+(\.\d+)?(-[\w.]+)?/.exec(text ?? '')?.[0];
}
