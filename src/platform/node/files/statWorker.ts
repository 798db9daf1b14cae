// Reads the metadata of thousands of files without waiting between them: see statThread.ts.
import { lstatSync } from 'node:fs';
import { errorCode } from '../../../base/errors.ts';
import { Channel, type RequesterProtocol } from '../../../rpc/channel.ts';
import { parentTransport } from '../transports/threadTransport.ts';
import { nativePath } from './files.ts';
import { STAT_FIELDS, type StatThreadProtocol } from './statProtocol.ts';

new Channel<StatThreadProtocol, RequesterProtocol>(
  parentTransport({ transfersBinaries: true }),
  { stat: (paths) => Promise.resolve(statAll(paths as readonly string[])) },
  {},
);

function statAll(paths: readonly string[]) {
  const numbers = new BigInt64Array(paths.length * STAT_FIELDS);
  const failures: [number, string][] = [];
  for (const [index, path] of paths.entries()) {
    try {
      const stats = lstatSync(nativePath(path), { bigint: true });
      const { mode, size, mtimeNs, ctimeNs, ino, dev, nlink } = stats;
      numbers.set([mode, size, mtimeNs, ctimeNs, ino, dev, nlink], index * STAT_FIELDS);
    } catch (error) {
      failures.push([index, errorCode(error) ?? 'EIO']);
    }
  }
  return { body: failures, binary: new Uint8Array(numbers.buffer) };
}
