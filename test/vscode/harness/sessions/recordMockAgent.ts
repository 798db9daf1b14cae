import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { makeDemoAgent, type DemoAgentOptions } from '../../../mockAgent/demo/demoAgent.ts';
import type { AhSandbox, LaunchedSession } from '../../../support/ah.ts';

/** Records the mock agent before a window opens; the window shows the session as after a reload. */
export async function recordMockAgent(
  sandbox: AhSandbox,
  workspace: string,
  options: DemoAgentOptions = {},
): Promise<LaunchedSession> {
  const { program, env } = makeDemoAgent(agentFolder(sandbox), options);
  trustFolder(env.CLAUDE_CONFIG_DIR, workspace);
  const session = await sandbox.launch([program], {
    cwd: workspace,
    workspace,
    agent: 'claudeCode',
    env: { ...sandbox.launchEnv, ...env },
    cols: 100,
    rows: 24,
  });
  const notes = {
    name: 'Mock Agent',
    agent: 'claudeCode',
    workspace,
    shownIn: [workspace],
    isInFront: true,
  };
  await changeSessionNotes(session.folder, notes);
  return session;
}

/** The mock agent never asks whether to trust a folder, so branches need no warning about it. */
function trustFolder(configFolder: string, workspace: string): void {
  mkdirSync(configFolder, { recursive: true });
  const projects = { [workspace]: { hasTrustDialogAccepted: true } };
  writeFileSync(path.join(configFolder, '.claude.json'), JSON.stringify({ projects }));
}

/** The demo's agent and its conversations. */
export function agentFolder(sandbox: AhSandbox): string {
  return path.join(sandbox.folder, 'mock-agent');
}
