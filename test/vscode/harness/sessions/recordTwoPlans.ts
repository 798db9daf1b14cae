import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { cliFile, type AhSandbox } from '../../../support/ah.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../../mockAgent/main.ts');

export interface Disguise {
  /** ID of a known agent. */
  readonly agent: string;
  readonly program: string;
  /** The session's name. */
  readonly name: string;
}

/** The default name of the session. */
export const PLANS_NAME = 'Mock Agent';

/**
 * Records a finished session of the mock agent in a repository: two plans, each with a snapshot.
 * @param disguise gives the mock agent the program name and the memory of another agent
 * @returns the session's ID
 */
export async function recordTwoPlans(
  sandbox: AhSandbox,
  folder: string,
  disguise?: Disguise,
): Promise<string> {
  await userGit(folder, 'init', '-q');
  writeFileSync(path.join(folder, 'plan.txt'), 'none\n');
  writeFileSync(path.join(folder, '.gitignore'), '.env\n');
  writeFileSync(path.join(folder, '.env'), 'PORT=8080\n');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
  const keep = 'ah agent fs snapshot --label';
  const bin = path.join(sandbox.folder, 'bin');
  makeProgram(bin, 'ah', `'${process.execPath}' '${cliFile}' "$@"`);
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
  const plain = [process.execPath, mockAgent, scenario, '--dir', folder, '--speed', '0'];
  const words = `'${process.execPath}' '${mockAgent}' '${scenario}' --dir "$PWD" --speed 0`;
  const cmd = disguise ? [makeProgram(bin, disguise.program, words)] : plain;
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    TERM: 'xterm-256color',
    HOME: sandbox.folder,
  };
  const session = await sandbox.launch(cmd, {
    cwd: folder,
    workspace: folder,
    cols: 100,
    rows: 24,
    env: { ...env, AH_DATA_DIR: sandbox.folder },
  });
  await sandbox.settled(120_000);
  if (disguise) placeMemory(session.folder, disguise.agent);
  await changeSessionNotes(session.folder, {
    name: disguise?.name ?? PLANS_NAME,
    workspace: folder,
    ...(disguise && { agent: disguise.agent }),
  });
  return session.id;
}

/** Creates a program with an agent's name. @returns its path */
function makeProgram(folder: string, name: string, words: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 });
  return file;
}

/** A recorded conversation of the real agent, with three tool calls. */
function placeMemory(sessionFolder: string, agent: string): void {
  const kept = path.join(sessionFolder, 'agent/transcripts');
  mkdirSync(kept, { recursive: true });
  const fixture = path.resolve(import.meta.dirname, '../../../fixtures/agents', agent);
  cpSync(path.join(fixture, 'branching.transcript.jsonl'), path.join(kept, '1.jsonl'));
  writeFileSync(path.join(kept, 'index.jsonl'), '{"file":"1.jsonl","source":"/gone/x.jsonl"}\n');
}
