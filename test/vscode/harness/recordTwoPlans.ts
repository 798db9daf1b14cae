import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeSessionNotes } from '../../../src/node/sessions/sessionNotes.ts';
import { cliFile, type AhSandbox } from '../../support/ah.ts';
import { userGit } from '../../support/gitWorkspace.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../mockAgent/main.ts');

/** What the session is called. */
export const PLANS_NAME = 'Mock Agent';

/** A finished session of the mock agent in a repository: a first plan, kept; a second plan, kept. @returns its id */
export async function recordTwoPlans(sandbox: AhSandbox, folder: string): Promise<string> {
  await userGit(folder, 'init', '-q');
  writeFileSync(path.join(folder, 'plan.txt'), 'none\n');
  writeFileSync(path.join(folder, '.gitignore'), '.env\n');
  writeFileSync(path.join(folder, '.env'), 'PORT=8080\n');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
  const keep = `'${process.execPath}' '${cliFile}' agent fs snapshot --label`;
  const scenario = path.join(sandbox.folder, 'plans.json');
  const steps = [
    { write: { path: 'plan.txt', content: 'a lock\n' } },
    { run: `${keep} 'first plan'` },
    { text: 'now the second plan' },
    { write: { path: 'plan.txt', content: 'two locks\n' } },
    { run: `${keep} 'second plan'` },
  ];
  const answer = [
    { message: 'You said "${prompt}".' },
    { append: { path: 'plan.txt', content: 'no, a queue\n' } },
    { input: 'What next? ' },
  ];
  writeFileSync(scenario, JSON.stringify({ name: 'plans', steps, answers: [{ steps: answer }] }));
  const cmd = [process.execPath, mockAgent, scenario, '--dir', folder, '--speed', '0'];
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: sandbox.folder };
  const session = await sandbox.launch(cmd, {
    ...{ cwd: folder, workspace: folder, cols: 100, rows: 24 },
    env: { ...env, AH_DATA_DIR: sandbox.folder },
  });
  await sandbox.settled(120_000);
  await changeSessionNotes(session.folder, { name: PLANS_NAME, workspace: folder });
  return session.id;
}
