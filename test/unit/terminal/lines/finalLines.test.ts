import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { EraseScanner } from '../../../../src/terminal/lines/eraseScanner.ts';
import { finalLines, type FinalLine } from '../../../../src/terminal/lines/finalLines.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { PlainTerminal } from '../../../support/terminal/plainTerminal.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { RecordList, recordsOf } from '../../../support/recording/recordList.ts';
import { terminalNoise } from '../../../support/terminal/terminalNoise.ts';
import { isSoak } from '../../../support/soak.ts';

const SIZE = { cols: 20, rows: 3 };

async function linesOf(
  source: RecordList,
  size: TerminalSize = SIZE,
  isStyled = false,
): Promise<{ lines: FinalLine[]; totalBytes: number }> {
  const lines: FinalLine[] = [];
  const batches = finalLines({ source, size, isStyled });
  for (;;) {
    const { value, done } = await batches.next();
    if (done === true) return { lines, totalBytes: value.totalBytes };
    lines.push(...value);
  }
}

async function textsOf(
  records: readonly AhrRecord[],
  size: TerminalSize = SIZE,
): Promise<string[]> {
  const { lines } = await linesOf(new RecordList(records), size);
  assert.deepEqual(
    lines.map((line) => line.index),
    lines.map((_, index) => index),
  );
  return lines.map((line) => line.text);
}

/** Texts without the blank ones at the end. */
function withoutTail(texts: readonly string[]): string[] {
  const end = texts.findLastIndex((text) => text.trim() !== '');
  return texts.slice(0, end + 1);
}

describe('final lines', () => {
  for (const name of PTY_FIXTURES) {
    it(`equal those of another terminal program: ${name}`, async () => {
      const { size, records, finalText } = readPtyFixture(name);
      const texts = await textsOf(records, size);
      const expected = withoutTail(finalText.split('\n'));
      // The fixture's text and its bytes name different folders: ignore these names.
      const known = (text: string): string =>
        text.replace(/\(cwd: \/\w+$|^[\w/]+\/gemini\/int\)$/, '…');
      assert.deepEqual(texts.map(known), expected.map(known));
    });
  }

  it('have the byte that last changed them, and their style on request', async () => {
    const source = new RecordList(
      recordsOf('\x1b[32mone\x1b[m\r\n', 'two\r\n', '\x1b[1;1H\x1b[1mONE'),
    );
    const { lines, totalBytes } = await linesOf(source, SIZE, true);
    assert.deepEqual(lines, [
      { index: 0, text: 'ONE', lastWriteByte: 31, styled: '\x1b[0;1mONE\x1b[m' },
      { index: 1, text: 'two', lastWriteByte: 18, styled: 'two' },
    ]);
    assert.equal(totalBytes, 31);
  });

  it('leave out blank lines at the end and nowhere else', async () => {
    assert.deepEqual(await textsOf(recordsOf('\r\n\r\na\r\n \r\n\r\nb\r\n   \r\n\r\n\r\n')), [
      '',
      '',
      'a',
      ' ',
      '',
      'b',
    ]);
    assert.deepEqual(await textsOf(recordsOf('\r\n'.repeat(100))), []);
    assert.deepEqual(await textsOf([]), []);
  });

  it('count a flood of blank lines, and yield them in batches', async () => {
    const flood = '\n'.repeat(300_000);
    const { lines } = await linesOf(new RecordList(recordsOf('a', flood, 'b')));
    assert.equal(lines.length, 300_001);
    assert.deepEqual([lines[0]!.text, lines[1]!.text, lines.at(-1)!.text.trim()], ['a', '', 'b']);
  });

  it('end with the alternate screen, if the recording ends on it', async () => {
    assert.deepEqual(await textsOf(recordsOf('main\r\n\x1b[?1049h\x1b[2;1Halt')), [
      'main',
      '',
      '',
      '',
      'alt',
    ]);
    assert.deepEqual(await textsOf(recordsOf('main\r\n\x1b[?1049halt\x1b[?1049l')), ['main']);
  });

  it('begin after the scrollback was last erased', async () => {
    const many = 'x\r\n'.repeat(1000);
    const cases: [string[], string[]][] = [
      [
        [many, '\x1b[H\x1b[2J\x1b[3J', 'a\r\nb'],
        ['a', 'b'],
      ],
      [
        [`${many}\x1b[2J\x1b[H\x1b[3J1\r\n2\r\n3\r\n4\r\n`, '5'],
        ['1', '2', '3', '4', '5'],
      ],
      [
        [many, '\x1bca\r\nb'],
        ['a', 'b'],
      ],
      [[many, '\x1b[?', '3', 'J\x1b[2J\x1b[Ha'], ['a']],
    ];
    for (const [steps, expected] of cases)
      assert.deepEqual(await textsOf(recordsOf(...steps)), expected);
  });

  it('ignore sequences that only look like an erasure', async () => {
    // On the alternate screen nothing is erased, and other sequences have a 3 and a J too.
    for (const harmless of ['\x1b[?1049h\x1b[3J\x1b[?1049l', '\x1b[>3J', '\x1b[13J']) {
      const records = recordsOf(
        '1\r\n2\r\n3\r\n4\r\n',
        '\x1b[3J',
        '5\r\n6\r\n7\r\n',
        harmless,
        '8\r\n9',
      );
      assert.deepEqual(
        await textsOf(records),
        ['3', '4', '5', '6', '7', '8', '9'],
        JSON.stringify(harmless),
      );
    }
  });

  it('are those of a terminal that keeps everything, with random output', async function () {
    this.timeout(600_000);
    const seeds = isSoak ? 5000 : 200;
    let compared = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const size = { cols: 5 + (seed % 30), rows: 2 + (seed % 7) };
      const noise = terminalNoise(new Random(seed), { size, records: 40, resizes: 0 });
      // Leaves out saved cursors and the alignment pattern: without a scrollback, a saved cursor
      // does not follow the text, and in origin mode the pattern also fills the rows above the
      // margin.
      const records = noise.filter(
        (record) =>
          record.kind !== 'data' || !/\x1b[78]|\[[su]|104[89]|!p|#8/.test(latin1(record.bytes)),
      );
      const plain = new PlainTerminal(size);
      try {
        for (const record of records) if (record.kind === 'data') plain.write(record.bytes);
      } catch {
        continue; // xterm cannot erase what is above the last column of the last row, unless it has no scrollback.
      }
      compared++;
      const all = [...plain.scrollback(), ...plain.mainScreen()];
      const shown = plain.isAlternateScreen ? [...all, ...plain.screen()] : all;
      // xterm leaves out a combining character without a base at the end of a row.
      const comparable = (texts: string[]): string[] =>
        withoutTail(texts.map((text) => text.replace(/[\u0300\u0301\u200b\u200d]+$/, '')));
      const texts = await textsOf(records, size);
      assert.deepEqual(comparable(texts), comparable(shown), `seed ${seed}`);
    }
    assert.ok(compared > seeds * 0.8, `${compared} of ${seeds}`);
  });

  it('can be aborted, and left early', async () => {
    const source = new RecordList(recordsOf('a\r\n'.repeat(1000), 'b'));
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(finalLines({ source, size: SIZE, signal }).next(), /enough/);
    for await (const batch of finalLines({ source, size: SIZE })) {
      assert.ok(batch.length > 0);
      break;
    }
  });
});

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

describe('the scanner for erasures', () => {
  const find = (...parts: (string | Uint8Array)[]): boolean[] => {
    const scanner = new EraseScanner();
    return parts.map((part) => scanner.scan(typeof part === 'string' ? Buffer.from(part) : part));
  };

  it('finds every form, cut anywhere', () => {
    const forms = [
      '\x1b[3J',
      '\x1b[?3J',
      '\x1bc',
      '\x1b[3;1J',
      '\x1b[03J',
      '\u009b3J',
      '\x1b[\n3J',
      '\x1b\rc',
      '\x1b[3\x7fJ',
      '\x1b\x1b[3J',
    ];
    for (const form of forms) {
      const bytes = Buffer.concat([Buffer.from('text J c '), Buffer.from(form)]);
      for (let cut = 0; cut < bytes.length; cut++) {
        assert.equal(
          find(bytes.subarray(0, cut), bytes.subarray(cut)).at(-1),
          true,
          `${JSON.stringify(form)} at ${cut}`,
        );
      }
      assert.ok(
        find(...Array.from(bytes, (byte) => new Uint8Array([byte]))).at(-1),
        JSON.stringify(form),
      );
    }
  });

  it('finds an erasure between bytes that the parser drops', () => {
    assert.deepEqual(find(Uint8Array.of(0x1b, 0x5b, 0xff, 0x33, 0xfe, 0x4a)), [true]);
    assert.deepEqual(find(Uint8Array.of(0x1b, 0xff), Uint8Array.of(0x63)), [false, true]);
  });

  it('finds no erasure in ordinary output', () => {
    assert.deepEqual(find('3J\x1b[2J\x1b[J\x1b[3K\x1b[33mJc\x1b[0c', 'c', '3J', '\x1b[1', 'J3J'), [
      false,
      false,
      false,
      false,
      false,
    ]);
    for (const name of PTY_FIXTURES) assert.equal(find(readPtyFixture(name).bytes)[0], false);
  });

  it('finds every erasure that the terminal executes, with random output', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const size = { cols: 10, rows: 3 };
      let isCleared = false;
      const model = new TerminalModel({ size, onHistoryCleared: () => (isCleared = true) });
      const scanner = new EraseScanner();
      for (const record of terminalNoise(new Random(seed), { size, records: 60, resizes: 0 })) {
        isCleared = false;
        playRecord(model, record);
        const isFound = record.kind === 'data' && scanner.scan(record.bytes);
        assert.ok(isFound || !isCleared, `seed ${seed}`);
      }
    }
  });
});
