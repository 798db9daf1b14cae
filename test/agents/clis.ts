import path from 'node:path';
import { installTool } from '../../scripts/installTool.mjs';

let folder: string | undefined;

/** The program of an agent in the version pinned by `clis/package.json`; installed on first use. */
export function agentProgram(name: 'claude' | 'codex' | 'gemini' | 'opencode' | 'copilot'): string {
  folder ??= installTool(path.join(import.meta.dirname, 'clis'), 'agents');
  return path.join(folder, 'node_modules/.bin', name);
}
