import assert from 'node:assert/strict';
import { parseSendStream, RENAME } from '../../../../src/snapshots/btrfs/sendStream.ts';
import { touchedPaths } from '../../../../src/snapshots/btrfs/touchedPaths.ts';
import { touchedWithin } from '../../../../src/snapshots/volume/listing.ts';

const SNAPSHOT = 2;
const MKFILE = 3;
const UNLINK = 11;
const END = 21;
const UPDATE_EXTENT = 22;
const SIZE = 4;
const PATH = 15;
const TARGET = 16;
const OFFSET = 18;

/** A stream as the kernel writes it, except for the checksums, which our code ignores. */
function stream(...commands: [kind: number, path: string | Uint8Array, target?: string][]): Buffer {
  const header = Buffer.concat([Buffer.from('btrfs-stream\0'), Buffer.from([1, 0, 0, 0])]);
  const parts = commands.map(([kind, path, target]) => {
    const attributes = [attribute(PATH, path)];
    if (target !== undefined) attributes.push(attribute(TARGET, target));
    return command(kind, Buffer.concat(attributes));
  });
  return Buffer.concat([header, command(SNAPSHOT, attribute(PATH, 's2')), ...parts, command(END)]);
}

function attribute(kind: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as string);
  const header = Buffer.alloc(4);
  header.writeUInt16LE(kind, 0);
  header.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([header, bytes]);
}

function command(kind: number, attributes: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(10);
  header.writeUInt32LE(attributes.length, 0);
  header.writeUInt16LE(kind, 4);
  return Buffer.concat([header, attributes]);
}

const pathsOf = (...commands: Parameters<typeof stream>): string[] =>
  touchedPaths(parseSendStream(stream(...commands))!)
    .map(({ path, isWholeTree }) => path + (isWholeTree ? '/…' : ''))
    .sort();

describe('the stream of btrfs send', () => {
  it('is parsed into commands with their paths, odd names included', () => {
    const bytes = stream([UNLINK, 'a\nb'], [RENAME, 'c', 'd'], [MKFILE, Buffer.from([0xff])]);
    assert.deepEqual(parseSendStream(bytes), [
      { kind: UNLINK, path: 'a\nb', target: undefined },
      { kind: RENAME, path: 'c', target: 'd' },
      { kind: MKFILE, path: '\udcff', target: undefined },
    ]);
    assert.deepEqual(parseSendStream(stream()), []);
  });

  it('lists the written ranges of a file under its final name', () => {
    const number = (value: bigint) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(value);
      return bytes;
    };
    const header = stream().subarray(0, 17);
    const written = Buffer.concat([
      attribute(PATH, 'a'),
      attribute(OFFSET, number(4096n)),
      attribute(SIZE, number(10n)),
    ]);
    const renamed = Buffer.concat([attribute(PATH, 'a'), attribute(TARGET, 'b')]);
    const parts = [command(UPDATE_EXTENT, written), command(RENAME, renamed), command(END)];
    const commands = parseSendStream(Buffer.concat([header, ...parts]))!;
    assert.deepEqual(commands[0]!.range, { offset: 4096, length: 10 });
    assert.deepEqual(touchedPaths(commands), [
      { path: 'a', isWholeTree: true },
      { path: 'b', isWholeTree: true, written: [{ offset: 4096, length: 10 }] },
    ]);
  });

  it('is rejected if it is cut off, at any byte, or has another version', () => {
    const bytes = stream([UNLINK, 'file'], [RENAME, 'from', 'to']);
    const endLength = 10;
    for (let length = 0; length < bytes.length - endLength + 1; length++) {
      assert.equal(parseSendStream(bytes.subarray(0, length)), undefined, `cut at ${length}`);
    }
    bytes[13] = 2;
    assert.equal(parseSendStream(bytes), undefined);
    assert.equal(parseSendStream(Buffer.from('not a stream at all, but long enough')), undefined);
  });

  it('is rejected if an attribute is longer than its command', () => {
    const bytes = stream([UNLINK, 'file']);
    const at = bytes.indexOf('file') - 2;
    bytes.writeUInt16LE(5000, at);
    assert.equal(parseSendStream(bytes), undefined);
  });
});

describe('the paths that a stream touches', () => {
  it('are those of the new tree for a file created under another name', () => {
    const paths = pathsOf([MKFILE, 'o257-7-0'], [RENAME, 'o257-7-0', 'src/new']);
    assert.ok(paths.includes('src/new/…'));
  });

  it('are those of both trees for the content of a renamed folder', () => {
    const paths = pathsOf([RENAME, 'old', 'new'], [UNLINK, 'new/file']);
    assert.deepEqual(paths, ['new/file', 'new/…', 'old/file', 'old/…']);
  });

  it('are found through a chain of renames', () => {
    const paths = pathsOf(
      [RENAME, 'a', 'between'],
      [RENAME, 'b', 'a'],
      [RENAME, 'between', 'b'],
      [UNLINK, 'b/x'],
    );
    for (const path of ['a/…', 'b/…', 'a/x', 'b/x']) assert.ok(paths.includes(path), path);
  });

  it('are limited to a folder, unless the folder itself was moved', () => {
    const touched = [
      { path: 'home/project/a', isWholeTree: false },
      { path: 'home/project-two/b', isWholeTree: true },
      { path: 'home', isWholeTree: false },
    ];
    assert.deepEqual(touchedWithin('home/project', touched), [{ path: 'a', isWholeTree: false }]);
    const moved = [...touched, { path: 'home', isWholeTree: true }];
    assert.equal(touchedWithin('home/project', moved), undefined);
    assert.deepEqual(touchedWithin('', touched), touched);
  });

  it('are unknown if a command has no path', () => {
    const header = Buffer.concat([Buffer.from('btrfs-stream\0'), Buffer.from([1, 0, 0, 0])]);
    const nameless = Buffer.concat([header, command(UNLINK, attribute(SIZE, 'x')), command(END)]);
    assert.equal(parseSendStream(nameless), undefined);
  });
});
