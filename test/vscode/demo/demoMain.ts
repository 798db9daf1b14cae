import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../src/base/errors.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { AhSandbox, until, type LaunchedSession } from '../../support/ah.ts';
import { recordMockAgent } from '../harness/recordMockAgent.ts';
import { openDemoEditor } from './demoEditor.ts';
import { DEMO_README } from './demoReadme.ts';
import { stopSessions } from './stopSessions.ts';

/** Nobody watches there: no need to be slow. */
const SPEED_OFF_TERMINAL = 3;
const MAX_DEMO_MS = 180_000;

/**
 * Shows the product: the mock agent is recorded in a new folder, and an editor with the extension opens on it. The window
 * finds the session running and shows it, as after a reload. On a terminal it goes on until Ctrl-C; off one it ends with the
 * agent. Nothing is left behind.
 */
async function main(isOnTerminal: boolean): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'ah-demo-'));
  const workspace = path.join(root, 'pool');
  mkdirSync(workspace);
  writeFileSync(path.join(workspace, 'README.md'), DEMO_README);
  const sandbox = new AhSandbox(path.join(root, 'ah'));
  const interrupted = new Promise<false>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve(false));
    }
  });
  const editor = await openDemoEditor({ root, workspace, dataFolder: sandbox.folder });
  try {
    const startFile = path.join(root, 'start');
    if (!isOnTerminal) writeFileSync(startFile, '');
    const speed = isOnTerminal ? 1 : SPEED_OFF_TERMINAL;
    const session = await recordMockAgent(sandbox, workspace, { speed, startFile });
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

/** The agent begins when there is somebody to see it. */
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
