import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import fsNow from 'node:fs';
import fs from 'node:fs/promises';

/**
 * Scrubs a session, and gets a signal before the n-th change of a file or start of a program.
 * `node dyingScrub.ts SESSION SIGNAL N`, with the text on standard input; prints the changes if it completes.
 */
const [, , sessionId = '', signalName = '', limit = ''] = process.argv;
const log: string[] = [];

function step(what: string): void {
  log.push(what);
  if (log.length === Number(limit)) process.kill(process.pid, signalName);
}

const text = fsNow.readFileSync(0, 'utf8').trim();
for (const each of ['mkdir', 'rename', 'rm', 'unlink', 'symlink', 'writeFile'] as const) {
  const original = fs[each] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(fs, {
    [each]: (...args: unknown[]) => {
      step(`${each} ${String(args[0])}`);
      return original(...args);
    },
  });
}
const open = fs.open;
fs.open = (file, flags, mode) => {
  if (typeof flags === 'string' && /[wa+]/.test(flags)) step(`open ${String(file)}`);
  return open(file, flags, mode);
};
for (const each of ['renameSync', 'rmSync', 'writeFileSync'] as const) {
  const original = fsNow[each] as (...args: unknown[]) => unknown;
  Object.assign(fsNow, {
    [each]: (...args: unknown[]) => {
      step(`${each} ${String(args[0])}`);
      return original(...args);
    },
  });
}
const spawn = childProcess.spawn as (...args: unknown[]) => childProcess.ChildProcess;
Object.assign(childProcess, {
  spawn: (...args: unknown[]) => {
    step(`spawn ${String(args[0])} ${(args[1] as string[]).join(' ')}`);
    return spawn(...args);
  },
});
syncBuiltinESMExports();

const { Catalogue } = await import('../../../src/sessions/node/catalogue.ts');
const { removeIndex, searchIndexFile } = await import('../../../src/search/node/factIndex.ts');
const { scrubSession } = await import('../../../src/scrub/node/scrubSession.ts');

const abort = new AbortController();
process.once('SIGINT', () => abort.abort());
const catalogue = new Catalogue();
const session = await catalogue.get(sessionId);
log.length = 0;
try {
  await scrubSession(session, text, {
    catalogue,
    signal: abort.signal,
    forgetSearch: () => removeIndex(searchIndexFile()),
  });
} catch (error) {
  if (!abort.signal.aborted) throw error;
}
process.stdout.write(JSON.stringify(log));
