import assert from 'node:assert/strict';
import { UserError } from '../../../src/base/errors.ts';
import { crc32 } from '../../../src/terminal/keyframes/checksum.ts';
import type { BranchPoint } from '../../../src/terminal/branchPoints/branchPoints.ts';
import { withTexts } from '../../../src/terminal/branchPoints/changedPoints.ts';
import {
  decodeKeyframeBody,
  encodeKeyframeBody,
} from '../../../src/terminal/keyframes/keyframe.ts';
import { decodeEntryBody } from '../../../src/terminal/keyframes/keyframeFile.ts';
import {
  RecordingContent,
  type RecordedState,
} from '../../../src/terminal/lines/recordingContent.ts';
import { playRecord } from '../../../src/terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../src/terminal/screen/terminalModel.ts';
import { MemoryFile } from '../../support/recording/memoryFile.ts';
import { recordsOf } from '../../support/recording/recordList.ts';
import { output, write } from '../../support/recording/recordings.ts';
import { syncBrotli } from '../../support/recording/syncBrotli.ts';

describe('the body of a keyframe', () => {
  const keyframe = {
    recordIndex: 1,
    byteOffset: 2,
    tsNs: 3n,
    size: { cols: 4, rows: 2 },
    normalLastWriteBytes: [5, 6],
    alternateLastWriteBytes: [7, 8],
    stream: Buffer.from('stream'),
  };
  const body = encodeKeyframeBody(keyframe);

  it('is rejected if it is cut, too long, or of another size', () => {
    const decoded = decodeKeyframeBody(body, 2);
    assert.deepEqual(decoded?.normalLastWriteBytes, [5, 6]);
    assert.equal(Buffer.from(decoded.stream).toString(), 'stream');
    for (let length = 0; length < body.length; length++)
      assert.equal(decodeKeyframeBody(body.subarray(0, length), 2), undefined, `cut at ${length}`);
    assert.equal(decodeKeyframeBody(Buffer.concat([body, Buffer.from('x')]), 2), undefined);
    assert.equal(decodeKeyframeBody(body, 3), undefined);
    const uneven = encodeKeyframeBody({ ...keyframe, alternateLastWriteBytes: [7] });
    assert.equal(decodeKeyframeBody(uneven, 2), undefined);
  });

  it('is rejected by its entry although its checksum is right', () => {
    const nonsense = Buffer.from('nonsense');
    const entry = {
      recordIndex: 1,
      byteOffset: 2,
      tsNs: 3n,
      cols: 4,
      rows: 2,
      fileOffset: 0,
      bodyLength: nonsense.length,
      bodyCrc: crc32(nonsense),
    };
    assert.equal(decodeEntryBody(entry, nonsense), undefined);
    const good = { ...entry, bodyLength: body.length, bodyCrc: crc32(body) };
    assert.equal(decodeEntryBody(good, body)?.recordIndex, 1);
  });
});

describe('branch points with other texts', () => {
  it('keep the points and the summary; changed lines lose their colors', async () => {
    const points = [
      { kind: 'line', text: 'a secret', styled: 'styled' },
      { kind: 'line', text: 'plain', styled: 'styled' },
      { kind: 'snapshot', label: 'a secret' },
    ] as unknown as BranchPoint[];
    async function* batches() {
      yield await Promise.resolve(points);
      return 'the end' as never;
    }
    const safe = (text: string) => text.replace('secret', '***');
    const changed = withTexts(batches(), { line: safe, label: (text) => `(${safe(text)})` });
    const first = await changed.next();
    assert.deepEqual(first.value, [
      { kind: 'line', text: 'a ***', styled: undefined },
      points[1],
      { kind: 'snapshot', label: '(a ***)' },
    ]);
    assert.deepEqual(await changed.next(), { done: true, value: 'the end' });
  });
});

describe('a recording that is closed while it is read', () => {
  async function setUp() {
    const file = new MemoryFile((await write(output(50, 10), 5)).bytes);
    let follow = () => Promise.resolve();
    let breathe: () => Promise<void> | undefined = () => undefined;
    const source = Object.assign(file, { follow: () => follow(), dispose: () => undefined });
    const content = new RecordingContent({
      source,
      decompressor: syncBrotli,
      pause: () => breathe(),
    });
    const states: RecordedState[] = [];
    content.onDidChange((state) => states.push(state));
    return {
      content,
      states,
      onFollow: (then: typeof follow) => (follow = then),
      onBreathe: (then: typeof breathe) => (breathe = then),
    };
  }

  it('reports nothing more, whatever fails', async () => {
    const { content, states, onFollow } = await setUp();
    onFollow(() => {
      content.dispose();
      return Promise.reject(new Error('closed'));
    });
    await content.refresh();
    await content.refresh();
    assert.deepEqual(states, []);
  });

  it('stops between two records', async () => {
    const { content, states, onBreathe } = await setUp();
    onBreathe(() => void content.dispose());
    await content.refresh();
    assert.deepEqual(states, []);
  });

  it('reports errors of the file, and throws bugs', async () => {
    const { content, states, onFollow } = await setUp();
    onFollow(() => Promise.reject(new UserError('recording-gone', 'no such file')));
    await content.refresh();
    assert.equal(states.at(-1)?.failure?.code, 'recording-gone');
    onFollow(() => Promise.reject(new Error('bug')));
    await assert.rejects(content.refresh(), /^Error: bug$/);
  });
});

describe('a terminal’s answers and history', () => {
  function play(cols: number, rows: number, text: string) {
    const model = new TerminalModel({ size: { cols, rows } });
    const replies: string[] = [];
    model.onReply((bytes) => replies.push(Buffer.from(bytes).toString()));
    for (const record of recordsOf(text)) playRecord(model, record);
    return { model, replies };
  }

  it('has all 256 colors', () => {
    const { replies } = play(10, 3, '\x1b]4;16;?;21;?;231;?;232;?;255;?\x07');
    const colors = replies.join('').match(/\d+;rgb:[0-9a-f/]+/g);
    assert.deepEqual(colors, [
      '16;rgb:0000/0000/0000',
      '21;rgb:0000/0000/ffff',
      '231;rgb:ffff/ffff/ffff',
      '232;rgb:0808/0808/0808',
      '255;rgb:eeee/eeee/eeee',
    ]);
  });
});
