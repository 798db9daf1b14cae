import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const mockAgent = path.resolve(import.meta.dirname, '..');

export interface DemoAgentOptions {
  readonly speed?: number;
  /** The agent begins when this file exists. */
  readonly startFile?: string;
  /** The agent exits after its answer instead of waiting for the next instruction. */
  readonly endsByItself?: boolean;
}

export interface DemoAgent {
  /**
   * Absolute path. It is named `claude`: the mock agent speaks Claude Code's hooks, options and
   * transcripts.
   */
  readonly program: string;
  readonly env: DemoAgentEnvironment;
}

/**
 * Where the agent, and what continues its sessions, finds its conversations: apart from the user's
 * own.
 */
export interface DemoAgentEnvironment extends Readonly<Record<string, string>> {
  readonly CLAUDE_CONFIG_DIR: string;
}

export function demoAgentEnvironment(folder: string): DemoAgentEnvironment {
  return { CLAUDE_CONFIG_DIR: path.join(folder, 'conversations') };
}

/** Writes the program that plays the demo. */
export function makeDemoAgent(
  folder: string,
  { speed = 1, startFile, endsByItself = false }: DemoAgentOptions = {},
): DemoAgent {
  mkdirSync(folder, { recursive: true });
  const program = path.join(folder, 'claude');
  const main = path.join(mockAgent, 'claude/main.ts');
  const scenario = path.join(mockAgent, 'scenarios/demo.yaml');
  const lines = [
    '#!/bin/sh',
    ...(startFile === undefined ? [] : [`until [ -e ${quoted(startFile)} ]; do sleep 0.1; done`]),
    `export MOCK_AGENT_SPEED=${speed}`,
    ...(endsByItself ? ['export MOCK_AGENT_ENDS=1'] : []),
    `exec ${[process.execPath, main, scenario].map(quoted).join(' ')} "$@"`,
  ];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { program, env: demoAgentEnvironment(folder) };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
