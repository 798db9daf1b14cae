// Records a real bash for the tests of the transcript: node test/support/recordShell.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node-pty';

const SIZE = { cols: 40, rows: 10 };
const FIXTURES = path.join(import.meta.dirname, '../fixtures/pty');
/** A line of the transcript stays when it is visible for a second. */
const LONG_MS = 1200;
const SHORT_MS = 150;
const UP = '\x1b[A';
const BACKSPACE = '\x7f';
const ESCAPE = '\x1b';

/** Keys, and how long their result stays. */
const KEYS: readonly (readonly [keys: string, ms: number])[] = [
  // A line of four rows, then lines of three rows that scroll through.
  ['seq -s, 1 50\r', LONG_MS],
  ['for i in 1 2 3 4; do seq -s" " $i 40; done\r', LONG_MS],
  // Recalled commands and a correction.
  ['echo one\r', LONG_MS],
  ['echo two\r', LONG_MS],
  [UP, LONG_MS],
  [UP, LONG_MS],
  [BACKSPACE.repeat(3), LONG_MS],
  ['three\r', LONG_MS],
  // A command that is longer than the row, taken back and typed again.
  ['echo this command does not fit into one row', LONG_MS],
  [BACKSPACE.repeat(20), LONG_MS],
  ['is gone\r', LONG_MS],
  // Completions: one file, then a list.
  ['cat poem', LONG_MS],
  ['\t', LONG_MS],
  ['\r', LONG_MS],
  ['ls note', SHORT_MS],
  ['\t', LONG_MS],
  ['\t\t', LONG_MS],
  ['b\t', LONG_MS],
  ['\r', LONG_MS],
  // Full-screen programs.
  ['less numbers.txt\r', LONG_MS],
  [' ', LONG_MS],
  ['q', SHORT_MS],
  ['vim -u NONE -n notes.txt\r', LONG_MS],
  ['ihello', LONG_MS],
  [`${ESCAPE}:wq\r`, LONG_MS],
  // The same output again, on a cleared screen.
  ['clear\r', LONG_MS],
  ['echo one\r', LONG_MS],
  ['exit\r', SHORT_MS],
];

/** Makes the shell print marks, as terminals with shell integration do. */
const MARKS = {
  PROMPT_COMMAND: 'printf "\\033]133;D;$?\\007"',
  PS1: '\\[\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]',
  PS0: '\\e]133;C\\a',
};

async function record(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'shell-'));
  writeFileSync(path.join(cwd, 'poem.txt'), 'roses are red\n');
  for (const file of ['note-a.txt', 'note-b.txt']) writeFileSync(path.join(cwd, file), '');
  const numbers = Array.from({ length: 30 }, (_, index) => `number ${index + 1}\n`);
  writeFileSync(path.join(cwd, 'numbers.txt'), numbers.join(''));
  const bash = spawn('bash', ['--norc', '--noprofile', '-i'], {
    ...SIZE,
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      HOME: cwd,
      INPUTRC: '/dev/null',
      PS1: '$ ',
      ...env,
    },
    encoding: null,
  });
  const startMs = performance.now();
  const chunks: [number, number][] = [];
  const output: Buffer[] = [];
  bash.onData((data) => {
    // With `encoding: null` the data are bytes, whatever the declared type says.
    const bytes = data as unknown as Buffer;
    chunks.push([Math.round(performance.now() - startMs), bytes.length]);
    output.push(bytes);
  });
  const ended = new Promise((resolve) => bash.onExit(resolve));
  await sleep(LONG_MS);
  for (const [keys, ms] of KEYS) {
    bash.write(keys);
    await sleep(ms);
  }
  await ended;
  rmSync(cwd, { recursive: true });
  writeFileSync(path.join(FIXTURES, `${name}.bin`), Buffer.concat(output));
  writeFileSync(
    path.join(FIXTURES, `${name}.bin.timing.json`),
    `${JSON.stringify({ ...SIZE, chunks })}\n`,
  );
}

await record('shell', {});
await record('shellWithMarks', MARKS);
