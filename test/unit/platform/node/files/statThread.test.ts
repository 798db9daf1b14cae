import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import { StatThread } from '../../../../../src/platform/node/files/statThread.ts';
import { pathFromBytes } from '../../../../../src/snapshots/common/pathBytes.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const WORKER = path.resolve(
  import.meta.dirname,
  '../../../../../src/platform/node/files/statWorker.ts',
);

describe('a thread that reads metadata of files', () => {
  const folder = useTemporaryFolder();
  const started: StatThread[] = [];
  afterEach(() => started.splice(0).forEach((thread) => thread.dispose()));

  function start(workerFile: string): StatThread {
    const thread = new StatThread(workerFile);
    started.push(thread);
    return thread;
  }

  /** Enough paths to use the thread: files, folders, links, odd names, and missing files. */
  function somePaths(): string[] {
    const names = Array.from({ length: 300 }, (_, number) => `f${number}`);
    for (const name of names) writeFileSync(path.join(folder.path, name), name, { mode: 0o640 });
    mkdirSync(path.join(folder.path, 'sub'));
    symlinkSync('nowhere', path.join(folder.path, 'link'));
    const odd = Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(odd, 'odd');
    const all = [...names, 'sub', 'link', 'missing', 'f1/below'];
    return [...all.map((name) => path.join(folder.path, name)), pathFromBytes(odd), '/dev/null'];
  }

  it('returns the same as single calls', async () => {
    const paths = somePaths();
    const thread = start(WORKER);
    const found = await thread.files.statAll(paths);
    assert.deepEqual(found, await nodeFiles.statAll(paths));
    assert.deepEqual(found.slice(302, 304), ['ENOENT', 'ENOTDIR']);
    const one = found[0];
    assert.ok(typeof one === 'object' && one.kind === 'file' && one.size === 2);
    assert.deepEqual(found[0], await nodeFiles.stat(paths[0]!));
  });

  it('answers parallel requests', async () => {
    const paths = somePaths();
    const thread = start(WORKER);
    const asked = [paths, paths.toReversed(), paths.slice(0, 250)];
    const answers = await Promise.all(asked.map((some) => thread.files.statAll(some)));
    assert.deepEqual(answers[1], answers[0]!.toReversed());
    assert.deepEqual(answers[2], answers[0]!.slice(0, 250));
  });

  it('is replaced by single calls if the thread can’t start or has ended', async () => {
    const paths = somePaths();
    const expected = await nodeFiles.statAll(paths);
    const missing = start(path.join(folder.path, 'missing.cjs'));
    assert.deepEqual(await missing.files.statAll(paths), expected);
    const thread = start(WORKER);
    const answer = thread.files.statAll(paths);
    thread.dispose();
    assert.deepEqual(await answer, expected);
    assert.deepEqual(await thread.files.statAll(paths), expected);
  });
});
