import assert from 'node:assert/strict';
import { DrawingFilter } from '../../../../src/terminal/draw/drawingFilter.ts';
import { Random } from '../../../support/random.ts';
import { isSoak } from '../../../support/soak.ts';
import { PlainTerminal } from '../../../support/terminal/plainTerminal.ts';
import {
  PTY_FIXTURES,
  readPtyOutput,
  SHELL_FIXTURES,
} from '../../../support/terminal/ptyFixture.ts';

const SIZE = { cols: 40, rows: 10 };
const encoder = new TextEncoder();

/** @param step how many bytes arrive at once */
function filtered(text: string | Uint8Array, step = Infinity, isColored = true): string {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  const filter = new DrawingFilter({ isColored });
  let passed = '';
  for (let at = 0; at < bytes.length; at += step)
    passed += filter.push(bytes.subarray(at, at + step));
  return passed;
}

/** What a terminal answers and does besides drawing. */
function actsOn(text: string | Uint8Array, terminal = new PlainTerminal(SIZE)): unknown[] {
  terminal.write(typeof text === 'string' ? encoder.encode(text) : text);
  return [...terminal.replies, ...terminal.commands];
}

/** The forms of a sequence with C1 control characters in place of ESC and a character. */
function withC1(sequence: string): string {
  return sequence.replace(/\x1b([@-_])/g, (_, character: string) =>
    String.fromCharCode(character.charCodeAt(0) + 0x40),
  );
}

const CLIPBOARD = '\x1b]52;c;c3RvbGVu\x07';
/** What a terminal answers. */
const ANSWERED = [
  '\x1b[c', '\x1b[0c', '\x1b[>c', '\x1b[5n', '\x1b[6n', '\x1b[?6n', '\x1b[?25$p', '\x1b[4$p',
  '\x1bP$qm\x1b\\', '\x1b]4;1;?\x07\x1b]10;?\x07',
  // Variants that a list of unwanted sequences would miss.
  '\x1b\x1b[6n', '\x1b[06n', '\x1b[6\x0an', '\x1b[3\x1b[6n', '\x1b]0;x\x1b[6n', '\x1b[0;0c',
  `\x1b[${'0'.repeat(6000)}6n`, '\x1b[1\x18\x1b[6n', '\x1bP+q\x18\x1b[6n', '\x1b]0;\x1a\x1b[c',
]; // prettier-ignore
/** What other terminals answer or do. */
const ACTED_ON = [
  CLIPBOARD, '\x1b]52;c;?\x07', '\x1b]52;c;eA==\x1b\\', '\x1b]052;c;eA==\x07', '\x1b]8;;http://x\x07',
  '\x1b]9;hello\x07', '\x1b]777;notify;a;b\x07', '\x1b]1337;File=:eA==\x07', '\x1b]7501;?\x07',
  '\x1b]11;#000\x07', '\x1b[>q', '\x1b[>0q', '\x1b[=c', '\x1b[6;1n', '\x1b[?u', '\x1b[>1u',
  '\x1b[18t', '\x1b[8;4;5t', '\x1b[21t', '\x1b[x', '\x1bZ', '\x05', '\x07', '\x1b[?1000h', '\x1b[?2004h',
  '\x1b[?9001h', '\x1b[20h', '\x1b[5i', '\x1b[4i', '\x1b[1;2;3;4;5T', '\x1b=', '\x1b%@', '\x1b[3J',
  '\x1b[?3h', '\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\', '\x1bP+q544e\x1b\\', '\x1b_Gi=31;AAAA\x1b\\',
  '\x1b^private\x1b\\', '\x1bXstring\x1b\\', '\x1b[?1;1;1S', '\x1b[1;1;1;1;1;1*y', '\x1b[2&u',
]; // prettier-ignore

describe('the filter for replays', () => {
  it('passes on nothing that a terminal answers, whatever its form', () => {
    for (const sequence of [...ANSWERED, ...ANSWERED.map(withC1)]) {
      assert.notDeepEqual(actsOn(sequence), [], `sanity: ${JSON.stringify(sequence.slice(0, 40))}`);
      assert.deepEqual(actsOn(filtered(sequence)), [], JSON.stringify(sequence.slice(0, 40)));
      assert.doesNotMatch(filtered(sequence), /\x1b\[[^mH]*[cnp]/);
    }
  });

  it('drops everything that a terminal acts on', () => {
    for (const sequence of [...ACTED_ON, ...ACTED_ON.map(withC1)]) {
      const rest = filtered(`a${sequence}b`);
      assert.match(rest, /^a[^\x00-\x1f\x80-\x9f]*b$/, JSON.stringify(sequence));
      for (const step of [1, 2, 3]) assert.equal(filtered(`a${sequence}b`, step), rest);
    }
  });

  it('passes on what draws', () => {
    const drawing = [
      'text äöü 漢字 🙂 e\u0301 \u200d', '\b\t\n\v\f\r\x0e\x0f', '\x1b[m', '\x1b[1;38;2;1;2;3m', '\x1b[4:3m',
      '\x1b[38:2::1:2:3m', '\x1b[2J', '\x1b[K', '\x1b[?2J', '\x1b[3;4H', '\x1b[2A', '\x1b[5d', '\x1b[2;8r', '\x1b[3S',
      '\x1b[2T', '\x1b[4L', '\x1b[3P', '\x1b[2@', '\x1b[7X', '\x1b[9b', '\x1b7\x1b8', '\x1b[s\x1b[u', '\x1bM', '\x1b(0q\x1b(B',
      '\x1b#8', '\x1b[?1049h', '\x1b[?25l', '\x1b[?7;6l', '\x1b[4h', '\x1b[?2026h', '\x1b[!p',
    ]; // prettier-ignore
    for (const sequence of drawing) assert.equal(filtered(sequence), sequence);
    assert.equal(filtered(drawing.join(''), 1), drawing.join(''));
  });

  it('cleans titles, drops modes that do not draw, and resets only what is drawn', () => {
    assert.equal(filtered('\x1b]0;a\tb\u202ec\x07'), '\x1b]0;a b c\x1b\\');
    assert.equal(filtered('\x1b[?25;1000;7h'), '\x1b[?25;7h');
    const reset = filtered('\x1bc');
    assert.ok(reset.includes('\x1b[2J') && !reset.includes('\x1bc') && !reset.includes('\x1b[3J'));
    assert.equal(filtered('a\x1b[31mb', 1, false), 'ab');
  });

  it('keeps text that is not UTF-8 from becoming control characters', () => {
    const text = filtered(
      Uint8Array.of(0x61, 0x9b, 0x36, 0x6e, 0xc3, 0x1b, 0x5b, 0x36, 0x6e, 0x62),
    );
    assert.equal(text, 'a\ufffd6n\ufffdb');
  });

  it('acts on nothing in random bytes', () => {
    const pieces = [
      ...ANSWERED, ...ACTED_ON, ...ANSWERED.map(withC1), '\x1b', '\x1b[', '\x1b]', '\x1bP', '\x9b', '\x9c', '\x18', '\x07', ';',
      '6n', 'x', '漢', '\x1b\\',
    ]; // prettier-ignore
    const first = Number(process.env['AH_SEED'] ?? 1);
    const terminal = new PlainTerminal(SIZE, 100);
    for (let seed = first; seed < first + (isSoak ? 100_000 : 600); seed++) {
      const random = new Random(seed);
      const parts = Array.from({ length: 20 }, () =>
        random.chance(60)
          ? encoder.encode(random.pick(pieces)).subarray(random.below(3))
          : Uint8Array.from({ length: 4 }, () => random.below(256)),
      );
      const text = filtered(Buffer.concat(parts), 1 + random.below(9));
      assert.deepEqual(actsOn(text, terminal), [], `AH_SEED=${seed}`);
      // Only sequences that were written anew are left.
      assert.doesNotMatch(text, /[\x00-\x07\x10-\x1a\x1c-\x1f\x7f-\x9f]|\x1b[P^_XZ]|\x1b\][^012]/);
    }
  });

  for (const name of [...PTY_FIXTURES, ...SHELL_FIXTURES]) {
    it(`draws what ${name} drew`, () => {
      const { size, records } = readPtyOutput(name);
      const [original, replayed] = [new PlainTerminal(size), new PlainTerminal(size)];
      const filter = new DrawingFilter({ isColored: true });
      for (const { bytes } of records) {
        original.write(bytes);
        replayed.write(encoder.encode(filter.push(bytes)));
        assert.deepEqual(replayed.cursor, original.cursor);
      }
      assert.deepEqual(replayed.cells(), original.cells());
      assert.equal(replayed.isAlternateScreen, original.isAlternateScreen);
      assert.deepEqual(replayed.commands, []);
      assert.deepEqual(replayed.replies, []);
    });
  }
});
