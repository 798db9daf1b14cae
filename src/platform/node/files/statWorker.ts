// A thread that looks at thousands of files without waiting between them; see statThread.ts.
import { lstatSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { nativePath } from './files.ts';
import { STAT_FIELDS, type StatAnswer, type StatQuestion } from './statThread.ts';

const port = parentPort!;

port.on('message', ({ id, paths }: StatQuestion) => {
  const numbers = new BigInt64Array(paths.length * STAT_FIELDS);
  const failures: [number, string][] = [];
  for (const [at, path] of paths.entries()) {
    try {
      const stats = lstatSync(nativePath(path), { bigint: true });
      const { mode, size, mtimeNs, ctimeNs, ino, dev, nlink } = stats;
      numbers.set([mode, size, mtimeNs, ctimeNs, ino, dev, nlink], at * STAT_FIELDS);
    } catch (error) {
      failures.push([at, (error as NodeJS.ErrnoException).code ?? 'EIO']);
    }
  }
  port.postMessage({ id, numbers, failures } satisfies StatAnswer, [numbers.buffer]);
});
