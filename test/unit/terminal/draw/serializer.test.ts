import assert from 'node:assert/strict';
import { historyStream } from '../../../../src/terminal/draw/historyStream.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import { lineAt } from '../../../../src/terminal/screen/cells.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { PlainTerminal } from '../../../support/terminal/plainTerminal.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { recordsOf, type Step } from '../../../support/recording/recordList.ts';
import { assertSameState, lossesOf } from '../../../support/terminal/terminalState.ts';

const SIZE = { cols: 20, rows: 6 };
const decoder = new TextDecoder();

function play(steps: readonly Step[]): TerminalModel {
  const model = new TerminalModel({ size: SIZE });
  for (const record of recordsOf(...steps)) playRecord(model, record);
  return model;
}

/** Each output leaves state that a restored terminal must have. */
const STATES: Readonly<Record<string, readonly Step[]>> = {
  'a fresh terminal': [''],
  'text and cursor': ['one\r\ntwo'],
  '16 colours, and 256 colours below 16': [
    '\x1b[31ma\x1b[38;5;1mb\x1b[91mc\x1b[38;5;9md\x1b[48;5;0me\x1b[40mf',
  ],
  'true colour, and a palette colour over it': ['\x1b[38;2;1;2;3ma\x1b[48;2;0;0;0mb\x1b[31;42mc'],
  'every attribute': ['\x1b[1ma\x1b[2mb\x1b[3mc\x1b[5md\x1b[7me\x1b[8mf\x1b[9mg\x1b[53mh\x1b[0mi'],
  'underline styles and colours': [
    '\x1b[4ma\x1b[4:2mb\x1b[4:3;58:5:9mc\x1b[58:2::1:2:3;4:4md\x1b[4:5me\x1b[59mf\x1b[24mg',
  ],
  'attributes in force and nothing printed': ['\x1b[1;4:3;38;5;3;48;2;9;9;9;58:5:7m'],
  'an underline colour without an underline': ['\x1b[58:5:7ma'],
  'erased cells with a background': ['\x1b[44m\x1b[2J\x1b[3;3H\x1b[42m\x1b[5X\x1b[mx'],
  'written spaces and empty cells': ['a  \x1b[5Cb  '],
  'wide characters, combining ones, emoji': ['漢字e\u0301👩\u200d👩\u200d👧🙂\u200d'],
  'a combining character on its own': ['a\x1b[m\u0301b'],
  'half overwritten wide characters': ['漢漢漢\x1b[1;2H\x1b[31;4mx\x1b[1;5H\x1b[mab'],
  'a wide character that did not fit, in colour': ['\x1b[41;1m' + 'x'.repeat(19) + '漢'],
  'wrapped lines': ['a'.repeat(50) + '\r\nb'],
  'a wrapped line with erased cells': ['a'.repeat(50), '\x1b[1;15H\x1b[K\x1b[2;1H\x1b[3X'],
  'a first row that continues one that left': ['a'.repeat(20 * 6 + 5)],
  'a cursor that waits to wrap': ['x'.repeat(20)],
  'a cursor that waits to wrap after a sequence': ['\x1b[31m' + 'x'.repeat(20) + '\x1b[32m'],
  'a cursor that waits to wrap and joins nothing': ['x'.repeat(20) + '\x1b[m'],
  'a wide character in the last column and the cursor past it': ['x'.repeat(18) + '漢'],
  'a saved cursor': ['\x1b[3;4H\x1b[31;1m\x1b7\x1b[H\x1b[mx'],
  'a saved cursor that waited to wrap': ['x'.repeat(20) + '\x1b7\x1b[H'],
  'a saved cursor with a character set': ['\x1b(0\x1b7\x1b(B\x1b[5;5H'],
  'a character set that came with a restored cursor': ['\x1b7\x1b(0\x1b8q'],
  'saved cursors of both screens': ['\x1b[2;2H\x1b7\x1b[?1049h\x1b[4;4H\x1b[32m\x1b7\x1b[?1049l'],
  'an underline that came with a restored cursor': ['\x1b[4mab\x1b7\x1b[0m\x1b8cd\x1b[0m'],
  'the alternate screen over a full main screen': [
    '\x1b[33mmain\r\n'.repeat(9) + '\x1b[2;4r\x1b[?1049h\x1b[36malt',
  ],
  'margins and origin mode': ['1\r\n2\r\n3\x1b[2;4r\x1b[?6h\x1b[2;3Hx'],
  'margins of both screens': ['\x1b[2;3r\x1b[?47h\x1b[3;5rx'],
  'tab stops': ['\x1b[3g\x1b[1;4H\x1bH\x1b[1;13H\x1bH\r\tx'],
  'no tab stops at all': ['\x1b[3g'],
  'tab stops of both screens': ['\x1b[3g\x1b[?47h\x1b[1;2H\x1bH'],
  'character sets and shifts': ['\x1b(0\x1b)A\x1b*4\x1b+K\x0eq#\x1bn'],
  'line drawing and the character to repeat': ['\x1b(0lqqk'],
  modes: ['\x1b[4h\x1b[?1h\x1b=\x1b[?7l\x1b[?45h\x1b[?2004h\x1b[?1004h\x1b[?25l\x1b[?12h\x1b[20h'],
  'mouse tracking': ['\x1b[?1003h\x1b[?1006h'],
  'mouse tracking in pixels': ['\x1b[?1002h\x1b[?1016h'],
  'synchronized output': ['\x1b[?2026hdrawing'],
  'a cursor style': ['\x1b[5 q'],
  'a cursor that blinks in the style of the user': ['\x1b[7 q'],
  'hyperlinks, with and without an id': [
    '\x1b]8;id=1;https://a.example\x07one\x1b]8;;\x07 \x1b]8;;https://b.example/;x\x07two\x1b]8;;\x07 \x1b]8;id=1;https://a.example\x07one',
  ],
  'two links to the same place, side by side': [
    '\x1b]8;;https://a.example\x07a\x1b]8;;https://a.example\x07b\x1b]8;;\x07',
  ],
  'a link in force over two rows': ['\x1b]8;;https://a.example\x07abc\r\n\x1b[1mdef'],
  'protected cells': ['\x1b[1"qkeep\x1b[0"q lose\x1b[1"q'],
  'a title and an icon name': ['\x1b]2;title\x07\x1b]1;icon\x07'],
  'a title only': ['\x1b]2;ünï🙂\x07'],
  'the character to repeat': ['ab\x1b[3b', 'x'],
  'a combined character to repeat': ['e\u0301'],
  'the screen alignment pattern': ['\x1b[31;4m\x1b#8\x1b[m'],
  'a resize while lines are wrapped': ['a'.repeat(70), [13, 5], 'b', [30, 8]],
  'keyboard protocols': ['\x1b[>1u\x1b[?1049h\x1b[>5u\x1b[=2;2u\x1b[>4;2m\x1b[?2031h'],
  'keyboard protocols of the other screen': ['\x1b[?1049h\x1b[>5u\x1b[?1049l\x1b[>1u'],
  'changed colours': ['\x1b]4;1;#123456\x07\x1b]10;#fff\x07\x1b]12;rgb:1/2/3\x07'],
};

describe('the state as a stream', () => {
  for (const [name, steps] of Object.entries(STATES)) {
    it(`restores ${name}`, () => {
      const model = play(steps);
      assert.deepEqual([...lossesOf(model)], []);
      const restored = TerminalModel.restore(model.captureState()!);
      assertSameState(restored, model, name);
      assert.deepEqual(restored.serializeState(), model.serializeState());
      // Later output has the same effect.
      const next =
        '\x1b[2b\u0301x\ty\r\nz\x1b8w\x1b[1;1H\x1b[?47l\x1b[?6lq\t#\x1b[20;1H\n\n\x1b[r\x1b8v';
      for (const { emulator } of [model, restored]) emulator.parse(new TextEncoder().encode(next));
      assertSameState(restored, model, `${name}, and on`);
    });

    it(`shows ${name} in an unmodified terminal, without a query`, () => {
      const model = play(steps);
      const client = new PlainTerminal(model.size);
      client.write(model.serializeState());
      assert.deepEqual(
        client.screen(),
        model.rows().map((row) => row.text),
      );
      assert.deepEqual(
        client.mainScreen(),
        model.mainScreenRows().map((row) => row.text),
      );
      assert.deepEqual(client.scrollback(), []);
      assert.deepEqual(client.cursor, { row: model.cursor.row, column: model.cursor.column });
      assert.deepEqual(client.replies, []);
    });
  }

  it('starts with the history, which fills the scrollback', () => {
    const lines = Array.from(
      { length: 50 },
      (_, index) => `\x1b[3${index % 8}mline ${index}\x1b[0m`,
    );
    const model = play([lines.join('\r\n')]);
    for (const [historyLines, expected] of [
      [1000, 44],
      [10, 10],
      [3, 3],
      [0, 0],
    ] as const) {
      const client = new PlainTerminal(SIZE);
      client.write(model.serializeState({ historyLines }));
      const texts = Array.from({ length: 44 }, (_, index) => `line ${index}`);
      assert.deepEqual(client.scrollback(), texts.slice(44 - expected));
      assert.deepEqual(
        client.screen(),
        model.rows().map((row) => row.text),
      );
    }
  });

  it('keeps wrapped lines of the history together, so that a terminal can reflow them', () => {
    const model = play(['x'.repeat(30) + '\r\n' + '漢'.repeat(15) + '\r\n' + '\r\n'.repeat(6)]);
    const client = new PlainTerminal(SIZE);
    client.write(model.serializeState({ historyLines: 100 }));
    assert.deepEqual(client.scrollback().slice(0, 4), [
      'x'.repeat(20),
      'x'.repeat(10),
      '漢'.repeat(10),
      '漢'.repeat(5),
    ]);
    assert.deepEqual(
      [0, 1, 2, 3].map((line) => client.isWrapped(line)),
      [false, true, false, true],
    );
  });

  it('contains no more history than requested', () => {
    const model = new TerminalModel({ size: SIZE, historyLines: 5 });
    model.write(new TextEncoder().encode('x\r\n'.repeat(100)), 300);
    const client = new PlainTerminal(SIZE);
    client.write(model.serializeState({ historyLines: 100 }));
    assert.equal(client.scrollback().length, 5);
  });

  it('leaves out the oldest history that does not fit into a message', () => {
    const { emulator } = play(['old\r\nänd\r\nnew\r\n']);
    const lines = [0, 1, 2].map((row) => {
      return { line: lineAt(emulator.normal, row), cols: SIZE.cols, lastWriteByte: 0 };
    });
    const scrollbackOf = (maxBytes: number) => {
      const client = new PlainTerminal(SIZE);
      const stream = historyStream(lines, SIZE, () => undefined, maxBytes);
      client.write(new TextEncoder().encode(stream));
      return client.scrollback();
    };
    assert.deepEqual(scrollbackOf(14), ['old', 'änd', 'new']);
    assert.deepEqual(scrollbackOf(13), ['änd', 'new']);
    assert.deepEqual(scrollbackOf(8), ['new']);
  });

  it('ends with an unfinished sequence, so that its rest can follow', () => {
    const cases: [string | Uint8Array, string][] = [
      ['a\x1b', '[31mb'],
      ['a\x1b[38;5', ';9mb'],
      ['a\x1b[3\n1', 'mb'],
      ['\x1b]0;some ti', 'tle\x07b'],
      ['\x1b]0;title\x1b', '\\b'],
      ['\x1bPq#1', '\x1b\\b'],
      ['a\u009b3', '1mb'],
      [new Uint8Array([0x61, 0xf0, 0x9f]), ''],
    ];
    for (const [first, rest] of cases) {
      const model = play([first]);
      assert.equal(model.canCut(), false);
      assert.equal(model.captureState(), undefined);
      const follower = new TerminalModel({ size: SIZE });
      follower.write(model.serializeState(), 0);
      const bytes = rest === '' ? new Uint8Array([0x99, 0x82]) : new TextEncoder().encode(rest);
      for (const terminal of [model, follower]) terminal.write(bytes, 99);
      assert.deepEqual(
        follower.rows().map((row) => row.styled),
        model.rows().map((row) => row.styled),
      );
      assert.deepEqual([follower.title, follower.cursor], [model.title, model.cursor]);
    }
  });

  it('shows and names what it can’t express exactly', () => {
    const model = play(['x'.repeat(20) + '\x1b[1K']);
    assert.deepEqual([...lossesOf(model)], ['a cursor that waits to wrap']);
    assert.equal(model.canCut(), false);
    assert.match(decoder.decode(model.serializeState()), /\x1b\[1;20H/);
  });

  for (const name of PTY_FIXTURES) {
    it(`shows ${name} in an unmodified terminal, at any moment`, () => {
      const { size, records } = readPtyFixture(name);
      const model = new TerminalModel({ size });
      records.forEach((record, index) => {
        playRecord(model, record);
        if (index % 40 !== 0) return;
        const client = new PlainTerminal(size);
        client.write(model.serializeState({ historyLines: 100 }));
        assert.deepEqual(
          client.screen(),
          model.rows().map((row) => row.text),
        );
        assert.equal(client.isAlternateScreen, model.isAlternateScreen);
        assert.deepEqual(client.replies, []);
      });
    });
  }
});
