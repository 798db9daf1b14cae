import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import type { Moment } from '../../../../../src/timeline/common/moments/moment.ts';
import type { HistoryLine } from '../../../../../src/timeline/common/transcript/lineText.ts';
import { ScreenHistory } from '../../../../../src/timeline/common/transcript/screenHistory.ts';
import { thinOut, type KeptLine } from '../../../../../src/timeline/common/transcript/thinOut.ts';
import { transcriptOf } from '../../../../../src/timeline/common/transcript/transcript.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../../support/terminal/ptyFixture.ts';
import { recordsOf, type Step } from '../../../../support/recording/recordList.ts';

const SECOND = 1_000_000_000n;

/** All reported lines, and those on the screen at the end; records are `wait` seconds apart. */
function historyOf(steps: readonly Step[], wait = 2n, size = { cols: 40, rows: 4 }): HistoryLine[] {
  const records = recordsOf(...steps).map((record) => ({
    ...record,
    tsNs: (record.tsNs / 1_000_000n) * wait * SECOND,
  }));
  return linesOf(records, size);
}

function linesOf(records: readonly AhrRecord[], size: { cols: number; rows: number }) {
  const told: HistoryLine[] = [];
  const history = new ScreenHistory({ size, onLine: (line) => told.push(line) });
  for (const record of records) history.play(record);
  const all = [...told, ...history.shown].sort((a, b) => a.order - b.order);
  history.dispose();
  return all;
}

const textsOf = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

describe('ScreenHistory', () => {
  it('keeps lines that scrolled off, including repeated ones, with their position', () => {
    const lines = historyOf(['a\r\nb\r\n', 'b\r\nc\r\n', 'd\r\ne']);
    assert.deepEqual(textsOf(lines), ['a', 'b', 'b', 'c', 'd', 'e']);
    assert.deepEqual(
      lines.map(({ firstByte }) => firstByte),
      [6, 6, 12, 12, 16, 16],
    );
  });

  it('keeps lines that scroll through within one record', () => {
    assert.deepEqual(textsOf(historyOf(['1\r\n2\r\n3\r\n4\r\n5\r\n6'])), [...'123456']);
  });

  it('keeps lines that were visible for a while, and drops others', () => {
    assert.deepEqual(textsOf(historyOf(['first plan', '\r\x1b[Ksecond idea', '\x1b[2J'])), [
      'first plan',
      'second idea',
    ]);
    assert.deepEqual(textsOf(historyOf(['flash', '\r\x1b[Kother', '\r\x1b[Klast'], 0n)), ['last']);
  });

  it('treats a line that is typed, counts or spins as one', () => {
    assert.deepEqual(textsOf(historyOf(['> f', 'ix', ' it'])), ['> fix it']);
    const spinner = ['⠋ Thinking (1 s)', '\r⠙ Thinking (2 s)', '\r⠹ Thinking (3 s)'];
    const [line, ...more] = historyOf(spinner);
    assert.deepEqual([line?.text, more], ['⠹ Thinking (3 s)', []]);
    assert.ok(line!.firstByte < line!.lastByte);
    assert.ok(line!.tsNs < line!.lastNs);
  });

  it('includes the alternate screen of an agent, and the main one once', () => {
    const lines = historyOf(['shell', '\x1b[?1049h\x1b[Heditor', '\x1b[?1049l', '\r\nafter']);
    assert.deepEqual(textsOf(lines), ['shell', 'editor', 'after']);
  });

  it('does not repeat lines that were covered for a while', () => {
    const screen = '\x1b[?1049h\x1b[2J\x1b[Hanswer\r\nmore of it';
    const question = '\x1b[2J\x1b[HAllow it?';
    assert.deepEqual(textsOf(historyOf([screen, question, screen, question])), [
      'answer',
      'more of it',
      'Allow it?',
    ]);
  });

  it('leaves out frames and drawings', () => {
    const box = ['╭──────────╮', '│ inside   │', '╰──────────╯'].join('\r\n');
    assert.deepEqual(textsOf(historyOf([box])), ['inside']);
  });

  for (const name of PTY_FIXTURES) {
    it(`turns ${name} into readable text`, () => {
      const { size, records } = readPtyFixture(name);
      const lines = linesOf(records, size);
      const text = textsOf(lines).join('\n');
      assert.match(text, /hello\.txt/);
      assert.ok(lines.length < 250, `${lines.length} lines`);
      // These lines scrolled out faster than a person can read.
      const answer = [...text.matchAll(/Line (\d+) of a long answer/g)].map((match) => match[1]);
      assert.deepEqual(
        answer,
        Array.from({ length: 120 }, (_, line) => String(line + 1)),
      );
      assert.ok(!/[\u2500-\u257f]{3}/.test(text));
    });
  }
});

const at = (firstByte: number, text = String(firstByte)): KeptLine => ({
  text,
  order: firstByte,
  firstByte,
  lastByte: firstByte,
  tsNs: BigInt(firstByte),
  lastNs: BigInt(firstByte),
});

describe('thinOut', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => at(index + 1));

  it('keeps the first and last lines of long stretches, and counts the omitted ones', () => {
    const kept = thinOut(lines, [5000], 1000);
    assert.ok(kept.length <= 1000, `${kept.length}`);
    assert.equal(kept[0]!.text, '1');
    assert.equal(kept.at(-1)!.text, '10000');
    const texts = textsOf(kept);
    assert.ok(texts.includes('5000') && texts.includes('5001'), 'what is next to the moment');
    const omitted = kept.reduce((sum, line) => sum + (line.omitted ?? 0), 0);
    const shown = kept.filter((line) => line.omitted === undefined).length;
    assert.equal(shown + omitted, 10_000);
  });

  it('adds up counts when repeated', () => {
    const twice = thinOut(thinOut(lines, [], 500), [], 50);
    const omitted = twice.reduce((sum, line) => sum + (line.omitted ?? 0), 0);
    assert.equal(twice.filter((line) => line.omitted === undefined).length + omitted, 10_000);
  });

  it('keeps short stretches', () => {
    assert.deepEqual(thinOut(lines.slice(0, 10), [3], 5), lines.slice(0, 10));
  });
});

describe('transcriptOf', () => {
  const moment = (over: Partial<Moment>): Moment => ({
    id: 'm',
    kind: 'tool',
    tsNs: 5_000_000n,
    byteOffset: 10,
    title: 'Bash npm test',
    ...over,
  });

  it('puts each moment before the lines after it', () => {
    const moments = [
      moment({ id: 'p', kind: 'prompt', title: 'fix', text: 'fix\nit', byteOffset: 5, turn: 1 }),
      moment({ detail: 'failed', isError: true }),
      moment({ id: 'z', kind: 'resize', byteOffset: 15 }),
      moment({ id: 's', kind: 'snapshot', title: 'after', byteOffset: 20, snapshotId: '7' }),
    ];
    const lines = transcriptOf([at(5, 'a'), at(10, 'b'), at(11, 'c')], moments, 0n);
    assert.deepEqual(
      lines.map(({ kind, text }) => `${kind} ${text}`),
      [
        'screen a',
        'text ',
        'prompt fix',
        'text it',
        'screen b',
        'tool Bash npm test',
        'screen c',
      ].concat('snapshot after'),
    );
    assert.deepEqual(lines[5], {
      kind: 'tool',
      text: 'Bash npm test',
      byteOffset: 10,
      timeMs: 5,
      momentId: 'm',
      detail: 'failed',
      isError: true,
    });
    assert.equal(lines.at(-1)!.snapshotId, '7');
  });

  it('has the time when a line was last written, for branches after it', () => {
    const line = { ...at(5, 'a'), lastByte: 9, lastNs: 9_000_000n };
    const [typed, plain] = transcriptOf([line, at(10, 'b')], [], 0n);
    assert.deepEqual([typed?.byteOffset, typed?.lastMs], [9, 9]);
    assert.ok(plain && !('lastMs' in plain));
  });

  it('removes characters that an editor shows as line breaks', () => {
    const [line] = transcriptOf([at(1, 'a\u2028b\rc\u202ed')], [], 0n);
    assert.equal(line!.text, 'a b c d');
    assert.equal(transcriptOf([at(1, 'x'.repeat(9000))], [], 0n)[0]!.text.length, 2000);
  });
});
