import type { AgentAdapter } from './adapter.ts';
import { claudeCode } from './adapters/claudeCode.ts';
import { codex } from './adapters/codex.ts';
import { copilot } from './adapters/copilot.ts';
import { gemini } from './adapters/gemini.ts';
import { opencode } from './adapters/opencode.ts';

/** One for every known agent, in the same order. */
export const ADAPTERS: readonly AgentAdapter[] = [claudeCode, codex, gemini, opencode, copilot];

export function adapterOf(agent: string): AgentAdapter | undefined {
  return ADAPTERS.find((adapter) => adapter.agent === agent);
}
