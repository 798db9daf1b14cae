import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../src/base/errors.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { AhSandbox, until, type LaunchedSession } from '../../support/ah.ts';
import { demoAgentEnvironment } from '../../mockAgent/demo/demoAgent.ts';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { agentFolder, recordMockAgent } from '../harness/sessions/recordMockAgent.ts';
import { openDemoEditor } from './demoEditor.ts';
import { DEMO_README } from './demoReadme.ts';
import { stopSessions } from './stopSessions.ts';

/** Without a terminal the mock agent need not be slow. */
const SPEED_OFF_TERMINAL = 3;
const MAX_DEMO_MS = 180_000;

/**
 * Records the mock agent in a new folder and opens VS Code with the extension on it. The window
 * shows the session as after a reload. On a terminal the demo runs until Ctrl-C, otherwise until
 * the agent ends. It leaves nothing behind.
 */
async function main(isOnTerminal: boolean): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'ah-demo-'));
  const workspace = path.join(root, 'pool');
  mkdirSync(workspace);
  makeDemoProject(workspace, DEMO_README);
  const sandbox = new AhSandbox(path.join(root, 'ah'));
  const interrupted = new Promise<false>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve(false));
    }
  });
  const env = { AH_DATA_DIR: sandbox.folder, ...demoAgentEnvironment(agentFolder(sandbox)) };
  const editor = await openDemoEditor({ root, workspace, env });
  try {
    const startFile = path.join(root, 'start');
    if (!isOnTerminal) writeFileSync(startFile, '');
    const speed = Number(process.env['AH_DEMO_SPEED'] ?? (isOnTerminal ? 1 : SPEED_OFF_TERMINAL));
    const endsByItself = !isOnTerminal;
    const session = await recordMockAgent(sandbox, workspace, { speed, startFile, endsByItself });
    await editor.show();
    if (isOnTerminal) {
      console.log('A mock agent is recorded there. Ctrl-C here ends the demo.');
      const watched = untilWatched(session).then(() => writeFileSync(startFile, ''));
      await Promise.race([interrupted, watched.then(() => interrupted)]);
    } else {
      const isDone = await Promise.race([interrupted, untilEnded(session)]);
      if (!isDone) return;
      const { stdout } = await sandbox.run('agent', 'replay', '--fast', '--no-colors');
      console.log(`What was recorded:\n\n${stdout.toString()}`);
    }
  } finally {
    await editor.close();
    await stopSessions(sandbox.catalogue);
    rmSync(root, { recursive: true, force: true });
  }
}

/** The agent starts when its window is open. */
async function untilWatched({ hostSocket }: LaunchedSession): Promise<void> {
  const client = await RecorderClient.connect(hostSocket);
  await until(async () => (await client.status()).clients > 0, 'a window', Infinity);
  client.dispose();
}

async function untilEnded(launched: LaunchedSession): Promise<true> {
  const isOver = async () => (await launched.session()).meta.state !== 'running';
  await until(isOver, 'the mock agent to be done', MAX_DEMO_MS);
  return true;
}

await main(process.stdin.isTTY).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
