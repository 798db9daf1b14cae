import type { AgentPicker } from '../terminals/agentPicker.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';

/** Asks what to record, and records it in a new terminal. */
export async function recordAgent(picker: AgentPicker, terminals: SessionTerminals): Promise<void> {
  const command = await picker.pick();
  if (command) terminals.record(command);
}
