// Serves a file of its own over FUSE and logs every write and flush: `loggedFileMain.ts IMAGE LOG`,
// with /dev/fuse as descriptor 3. A message from the parent is a mark in the log.
import { fdatasyncSync, openSync, read, readSync, statSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { appendEvent } from './diskLog.ts';
import * as fuse from './fuseProtocol.ts';

const FUSE_FD = 3;
const [imageFile, logFile] = process.argv.slice(2) as [string, string];
const image = openSync(imageFile, 'r+');
const log = openSync(logFile, 'w');
const { size } = statSync(imageFile);

process.on('message', (text: string) => {
  appendEvent(log, { kind: 'mark', text });
  process.send?.('marked');
});

// Not synchronous, because marks arrive in between.
const readFuse = promisify(read);
const request = Buffer.alloc(fuse.REQUEST_BYTES);
for (;;) {
  const bytesRead = await nextRequest();
  if (bytesRead === undefined) break;
  const answer = answerTo(fuse.parseRequest(request.subarray(0, bytesRead)));
  if (answer) writeSync(FUSE_FD, answer);
}
fdatasyncSync(log);
process.exit(0);

/** @returns undefined after the file system was unmounted */
async function nextRequest(): Promise<number | undefined> {
  for (;;) {
    try {
      return (await readFuse(FUSE_FD, request, 0, request.length, null)).bytesRead;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENODEV') return undefined;
      // A request that was interrupted before it was read.
      if (code !== 'ENOENT' && code !== 'EINTR' && code !== 'EAGAIN') throw error;
    }
  }
}

function answerTo({ opcode, unique, body }: fuse.FuseRequest): Buffer | undefined {
  switch (opcode) {
    case fuse.Opcode.init:
      return fuse.reply(unique, fuse.initReply());
    case fuse.Opcode.getAttributes:
    case fuse.Opcode.setAttributes:
      return fuse.reply(unique, fuse.attributesReply(size));
    case fuse.Opcode.open:
      return fuse.reply(unique, fuse.openReply());
    case fuse.Opcode.statFs:
      return fuse.reply(unique, fuse.statFsReply());
    case fuse.Opcode.release:
    case fuse.Opcode.flush:
      return fuse.reply(unique);
    case fuse.Opcode.read: {
      const { offset, length } = fuse.readRange(body);
      const data = Buffer.alloc(length);
      return fuse.reply(unique, data.subarray(0, readSync(image, data, 0, length, offset)));
    }
    case fuse.Opcode.write: {
      const { offset, data } = fuse.writtenRange(body);
      writeSync(image, data, 0, data.length, offset);
      appendEvent(log, { kind: 'write', offset, data });
      return fuse.reply(unique, fuse.writeReply(data.length));
    }
    case fuse.Opcode.fsync:
      appendEvent(log, { kind: 'flush' });
      return fuse.reply(unique);
    case fuse.Opcode.forget:
    case fuse.Opcode.interrupt:
      return undefined;
    default:
      return fuse.failure(unique, fuse.ENOSYS);
  }
}
