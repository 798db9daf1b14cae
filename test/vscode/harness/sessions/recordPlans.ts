import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { cliFile, type AhSandbox, type LaunchedSession } from '../../../support/ah.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../../mockAgent/main.ts');

/** Text that the agent shows and later overwrites. */
export const OVERWRITTEN = 'Weighing the options';

/**
 * Records a finished session of the mock agent in a repository: two plans, a snapshot after the
 * first.
 */
export async function recordPlans(
  sandbox: AhSandbox,
  folder: string,
  name: string,
): Promise<LaunchedSession> {
  await userGit(folder, 'init', '-q');
  writeFileSync(path.join(folder, 'plan.txt'), 'none\n');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
  const keep = `'${process.execPath}' '${cliFile}' agent fs snapshot --label`;
  const scenario = path.join(sandbox.folder, 'plans.json');
  const steps = [
    { text: 'Here is what I think.' },
    { spinner: { text: OVERWRITTEN, durationMs: 1500 } },
    { write: { path: 'plan.txt', content: 'a lock\n' } },
    { run: `${keep} 'first plan'` },
    { text: 'The lock is too slow.' },
    { write: { path: 'plan.txt', content: 'two locks\n' } },
    { run: `${keep} 'second plan'` },
    { text: 'All done.' },
  ];
  const answer = [{ message: 'You said "${prompt}".' }];
  writeFileSync(scenario, JSON.stringify({ name: 'plans', steps, answers: [{ steps: answer }] }));
  const cmd = [process.execPath, mockAgent, scenario, '--dir', folder, '--speed', '1'];
  const session = await sandbox.launch(cmd, {
    cwd: folder,
    workspace: folder,
    cols: 100,
    rows: 24,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm-256color',
      HOME: sandbox.folder,
      AH_DATA_DIR: sandbox.folder,
    },
  });
  await sandbox.settled(60_000);
  await changeSessionNotes(session.folder, { name, workspace: folder });
  return session;
}
