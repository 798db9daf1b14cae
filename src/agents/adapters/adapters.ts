import type { AgentAdapter } from '../common/adapter.ts';
import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The adapters of all known agents, in the order of `KNOWN_AGENTS`. */
export const ADAPTERS: readonly AgentAdapter[] = [claudeCode, codex, gemini, opencode, copilot];

export function adapterOf(agent: string): AgentAdapter | undefined {
  return ADAPTERS.find((adapter) => adapter.agent === agent);
}
