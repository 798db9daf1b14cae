import assert from 'node:assert/strict';
import {
  TerminalModel,
  type TerminalModelOptions,
} from '../../../../src/terminal/screen/terminalModel.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import { recordsOf, type Step } from '../../../support/recording/recordList.ts';

const decoder = new TextDecoder();

interface Left {
  text: string;
  lastWriteByte: number;
  isWrapped: boolean;
}

/** A small model, its scrolled lines, and its replies. */
function play(
  size: [cols: number, rows: number],
  steps: readonly Step[],
  options: Partial<TerminalModelOptions> = {},
) {
  const left: Left[] = [];
  const replies: string[] = [];
  const model = new TerminalModel({
    ...options,
    size: { cols: size[0], rows: size[1] },
    onLine: ({ text, lastWriteByte, isWrapped }) => left.push({ text, lastWriteByte, isWrapped }),
    onHistoryCleared: () => left.splice(0),
  });
  model.onReply((bytes) => replies.push(decoder.decode(bytes)));
  for (const record of recordsOf(...steps)) playRecord(model, record);
  return { model, left, replies, texts: left.map(({ text }) => text) };
}

const screen = (model: TerminalModel): string[] => model.rows().map((row) => row.text);
const offsets = (model: TerminalModel): number[] => model.rows().map((row) => row.lastWriteByte);

describe('the terminal model', () => {
  it('shows every character, wherever the output is cut', () => {
    const text = '“a” — b… • 𠀀🙂漢é';
    const bytes = new TextEncoder().encode(text);
    const whole = screen(play([40, 2], [text]).model);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { model } = play([40, 2], [bytes.slice(0, cut), bytes.slice(cut)]);
      assert.deepEqual(screen(model), whole, `cut at ${cut}`);
      const restored = new TerminalModel({ size: { cols: 40, rows: 2 } });
      const start = play([40, 2], [bytes.slice(0, cut)]).model;
      restored.write(start.serializeState(), cut);
      restored.write(bytes.slice(cut), bytes.length);
      assert.deepEqual(screen(restored), whole, `cut at ${cut}, and restored there`);
    }
    const alone = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(screen(play([40, 2], alone).model), whole);
  });

  it('ignores invalid bytes, wherever the output is cut', () => {
    const bytes = Uint8Array.of(0x61, 0xf0, 0x62, 0xe2, 0x80, 0x63, 0x80, 0xff, 0x64, 0xc3);
    const whole = screen(play([40, 2], [bytes]).model);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { model } = play([40, 2], [bytes.slice(0, cut), bytes.slice(cut)]);
      assert.deepEqual(screen(model), whole, `cut at ${cut}`);
    }
  });

  it('limits the size that a recording claims', () => {
    const huge = { cols: 65_535, rows: 65_535 };
    const model = new TerminalModel({ size: huge });
    assert.deepEqual(model.size, { cols: 2000, rows: 2000 });
    model.resize({ cols: 10, rows: 5 });
    model.resize(huge);
    assert.deepEqual(model.size, { cols: 2000, rows: 2000 });
  });

  it('parses the bytes before write returns', () => {
    const { model } = play([10, 3], ['one\r\ntwo']);
    assert.deepEqual(screen(model), ['one', 'two', '']);
    assert.deepEqual(model.cursor, { row: 1, column: 3, isVisible: true });
    assert.equal(model.byteOffset, 8);
  });

  it('decodes characters and sequences cut between records', () => {
    const { model } = play(
      [10, 2],
      [new Uint8Array([0xe6, 0xbc]), new Uint8Array([0xa2, 0x1b]), '[7mx'],
    );
    assert.deepEqual(screen(model), ['漢x', '']);
    assert.equal(model.rows()[0]!.styled, '漢\x1b[0;7mx\x1b[m');
  });

  it('keeps only the screen, and passes on lines that leave it', () => {
    const { model, left } = play([10, 2], ['a\r\nb\r\n', 'c\r\n', 'd']);
    assert.deepEqual(left, [
      { text: 'a', lastWriteByte: 6, isWrapped: false },
      { text: 'b', lastWriteByte: 6, isWrapped: false },
    ]);
    assert.deepEqual(screen(model), ['c', 'd']);
    assert.equal(model.emulator.normal.lines.length, 2);
  });

  it('passes on every line of one huge write', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
    const { model, texts } = play([20, 10], [lines.join('\r\n')]);
    assert.deepEqual([...texts, ...screen(model)], lines);
  });

  it('passes on lines scrolled by a repeated character', () => {
    const { texts } = play([4, 2], ['x\x1b[1000b']);
    assert.equal(texts.length, Math.ceil(1001 / 4) - 2);
  });

  it('says which lines continue the one before', () => {
    const { left } = play([4, 2], ['abcdefghij\r\n\r\n\r\n']);
    assert.deepEqual(
      left.map(({ text, isWrapped }) => [text, isWrapped]),
      [
        ['abcd', false],
        ['efgh', true],
        ['ij', true],
        ['', false],
      ].slice(0, left.length),
    );
    assert.equal(left.length, 4);
  });

  it('wraps a wide character that does not fit, with what combines with it', () => {
    const { model } = play([4, 2], ['abc漢\u0301x']);
    assert.deepEqual(screen(model), ['abc', '漢\u0301x']);
    assert.equal(model.rows()[1]!.isWrapped, true);
  });

  it('takes lines from the top of the main screen only', () => {
    const inRegion = play([10, 4], ['a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\n\n\n']);
    assert.deepEqual(inRegion.texts, []);
    assert.deepEqual(screen(inRegion.model), ['a', '', '', 'd']);
    const alternate = play([10, 2], ['keep\x1b[?1049h1\r\n2\r\n3\r\n4']);
    assert.deepEqual(alternate.texts, []);
    assert.deepEqual(screen(alternate.model), ['3', '4']);
    assert.deepEqual(
      alternate.model.mainScreenRows().map((row) => row.text),
      ['keep', ''],
    );
    assert.equal(alternate.model.isAlternateScreen, true);
  });

  it('takes lines from a region at the top, and leaves those below it alone', () => {
    const { model, left } = play([10, 4], ['a\r\nb\r\nc\r\nstatus', '\x1b[1;3r\x1b[3;1H\nnew']);
    assert.deepEqual(left, [{ text: 'a', lastWriteByte: 15, isWrapped: false }]);
    assert.deepEqual(screen(model), ['b', 'c', 'new', 'status']);
    assert.deepEqual(offsets(model), [15, 15, 31, 15]);
  });

  it('drops lines when the program erases the scrollback (ED 3) or everything (RIS)', () => {
    assert.deepEqual(play([9, 2], ['a\r\nb\r\nc\x1b[3Jd\r\ne\r\n']).texts, ['b', 'cd']);
    assert.deepEqual(play([9, 2], ['a\r\nb\r\nc\x1bcd\r\ne\r\nf']).texts, ['d']);
    // On the alternate screen xterm leaves the scrollback alone.
    assert.deepEqual(play([9, 2], ['a\r\nb\r\nc\x1b[?47h\x1b[3J']).texts, ['a']);
  });

  it('gives a row the end of the record that changed it, and no other', () => {
    const { model } = play(
      [10, 4],
      ['one\r\ntwo\r\n', '\x1b[1;1Hone', '\x1b[2;1HTWO', '\x1b[31m\x1b[1;1Ho'],
    );
    assert.deepEqual(offsets(model), [40, 28, 0, 0]);
  });

  it('counts a change of colour, of a link and of a combining character as a change', () => {
    for (const change of [
      '\x1b[1;1H\x1b[1ma',
      '\x1b[1;1H\x1b]8;;http://x\x07a',
      '\x1b[1;2H\u0301',
      '\x1b[1;1Ha\u0301',
    ]) {
      const { model } = play([10, 2], ['a', change]);
      assert.equal(offsets(model)[0]! > 1, true, JSON.stringify(change));
    }
  });

  it('does not count the same text in a recycled colour as a change', () => {
    // The palette colour keeps bits of the true colour it replaces.
    const { model } = play([10, 2], ['\x1b[31ma', '\x1b[1;1H\x1b[38;2;1;2;3m\x1b[31ma']);
    assert.equal(offsets(model)[0], 6);
  });

  it('gives lines that pass through the screen within a record the end of that record', () => {
    const { left } = play([10, 2], ['old\r\n', 'a\r\nb\r\nc\r\nd\r\n']);
    assert.deepEqual(
      left.map((line) => [line.text, line.lastWriteByte]),
      [
        ['old', 5],
        ['a', 17],
        ['b', 17],
        ['c', 17],
      ],
    );
  });

  it('counts a new row as written when it appears, even if it shows what the one before it did', () => {
    const { model, left } = play([10, 2], ['x\r\nx', '\r\nx\r\nx', '\r\n\r\n\r\n']);
    assert.deepEqual(
      left.map((line) => line.lastWriteByte),
      [4, 4, 10, 10, 16],
    );
    assert.deepEqual(offsets(model), [16, 16]);
  });

  it('counts every row of a text that wraps down the screen and scrolls it', () => {
    const { model } = play([4, 4], ['o\r\no\r\no\r\no\x1b[2;1H', 'n'.repeat(16)]);
    assert.deepEqual(screen(model), ['nnnn', 'nnnn', 'nnnn', 'nnnn']);
    assert.deepEqual(offsets(model), [32, 32, 32, 32]);
  });

  it('keeps links as long as they are on the screen, and no longer', () => {
    const link = (uri: string, id = '') => `\x1b]8;${id};${uri}\x07x\x1b]8;;\x07`;
    const flood = Array.from({ length: 9000 }, (_, index) => link(`https://${index}.example`));
    const { model } = play(
      [10, 4],
      [
        `${link('https://top.example')}\r\n${link('https://gone.example', 'id=1')}\x1b[3;4r\x1b[2;1H\x1b[2K\x1b[3;1H`,
        flood.join('\r\n'),
        `\x1b[2;1H\x1b[2K${link('https://gone.example', 'id=1')}`,
      ],
    );
    const [top, second] = model.rows().map((row) => row.styled);
    assert.match(top!, /https:\/\/top.example/);
    assert.match(second!, /id=1;https:\/\/gone.example/);
    assert.equal(model.emulator.linkData(3), undefined);
  });

  it('ignores links that are too long', () => {
    const long = `\x1b]8;;https://a.example/${'a'.repeat(50_000)}\x07long\x1b]8;;\x07`;
    const short = `\x1b]8;;https://b.example/${'b'.repeat(2000)}\x07short\x1b]8;;\x07`;
    const { model } = play([40, 4], [long.repeat(30), `\r\n${short}`]);
    assert.ok(model.serializeState().length < 10_000);
    const rows = model.rows().map((row) => row.styled);
    assert.doesNotMatch(rows.join('\n'), /a\.example/);
    assert.match(rows.join('\n'), /b\.example/);
    assert.match(rows.join('\n'), /longlong/);
  });

  it('limits pushed keyboard flags', () => {
    const { model } = play([10, 2], ['\x1b[>1u'.repeat(1000)]);
    assert.ok(model.serializeState().length < 1000);
  });

  it('tracks the main screen while a record switches away from it', () => {
    const { model } = play([10, 2], ['main\x1b[?1049halt', '\x1b[?1049l']);
    assert.deepEqual(
      model.mainScreenRows().map((row) => row.lastWriteByte),
      [15, 0],
    );
  });

  it('answers queries of programs, colours included', () => {
    const { replies } = play(
      [10, 2],
      [
        'ab\x1b[6n\x1b[c\x1b]11;?\x07\x1b[?2026$p\x1b[18t',
        '\x1b]4;1;?\x07\x1b]11;#102030\x07\x1b]11;?\x07',
      ],
    );
    assert.deepEqual(replies, [
      '\x1b[1;3R',
      '\x1b[?1;2c',
      '\x1b]11;rgb:1f1f/1f1f/1f1f\x1b\\',
      '\x1b[?2026;2$y',
      '\x1b[8;2;10t',
      '\x1b]4;1;rgb:cdcd/3131/3131\x1b\\',
      '\x1b]11;rgb:1010/2020/3030\x1b\\',
    ]);
  });

  it('limits absurd repetitions', function () {
    this.timeout(5000);
    const { model } = play(
      [10, 3],
      [...'LMSTIZ']
        .map((final) => `x\x1b[2;1H\x1b[2147483647${final}`)
        .concat('\x1b[1;1Hy\x1b[2147483647b'),
    );
    assert.equal(model.rows()[0]!.text, 'y'.repeat(10));
  });

  it('has the title', () => {
    assert.equal(play([10, 2], ['\x1b]0;agent\x07']).model.title, 'agent');
  });

  describe('when it is resized', () => {
    it('passes on rows that no longer fit, and takes none back', () => {
      const { model, left } = play([10, 4], ['a\r\nb\r\nc\r\nd', [10, 2], [10, 4]]);
      assert.deepEqual(
        left.map((line) => [line.text, line.lastWriteByte]),
        [
          ['a', 10],
          ['b', 10],
        ],
      );
      assert.deepEqual(screen(model), ['c', 'd', '', '']);
      assert.deepEqual(offsets(model), [10, 10, 10, 10]);
    });

    it('reflows what is on the screen, with the byte that wrote it', () => {
      const { model, texts } = play([8, 3], ['abcdefgh', '\r\nxy\r\n', [4, 3]]);
      assert.deepEqual([...texts, ...screen(model)], ['abcd', 'efgh', 'xy', '']);
      assert.deepEqual(offsets(model), [8, 14, 0]);
    });

    it('does not reflow lines that scrolled off', () => {
      const { model, texts } = play([4, 2], ['abcdefgh\r\nx\r\ny', [8, 2]]);
      assert.deepEqual([...texts, ...screen(model)], ['abcd', 'efgh', 'x', 'y']);
    });

    it('does not bring back characters long overwritten', () => {
      const { model } = play([6, 4], ['abcdee\u0301\x1b[1;6H漢\u0301\r\n\r\n', [4, 4]]);
      assert.deepEqual(screen(model).slice(0, 2), ['abcd', 'e漢\u0301']);
    });

    it('cuts a wide character at the new edge whole', () => {
      const { model } = play([6, 2], ['\x1b[?1049habc漢', [4, 2], [6, 2]]);
      assert.deepEqual(screen(model), ['abc', '']);
    });

    it('does not scroll rows of the alternate screen into a history', () => {
      const { model, texts } = play([6, 5], [[6, 2], '\x1b[?1049h1\r\n2\r\n3\r\n4', [6, 3]]);
      assert.deepEqual(screen(model), ['3', '4', '']);
      assert.deepEqual(texts, []);
    });

    it('survives any size', () => {
      const { model } = play(
        [80, 24],
        ['漢字'.repeat(200), [2, 1], '漢', [500, 200], 'x', [1, 1], 'y'],
      );
      assert.deepEqual(model.size, { cols: 2, rows: 1 });
    });
  });
});
