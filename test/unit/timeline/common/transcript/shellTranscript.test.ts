import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startsAgent } from '../../../../../src/agents/common/shellSession.ts';
import type { AhrRecord, DataRecord } from '../../../../../src/recording/format/records.ts';
import type { HistoryLine } from '../../../../../src/timeline/common/transcript/lineText.ts';
import type { Moment, MomentKind } from '../../../../../src/timeline/common/moments/moment.ts';
import { ScreenHistory } from '../../../../../src/timeline/common/transcript/screenHistory.ts';
import { transcriptOf } from '../../../../../src/timeline/common/transcript/transcript.ts';
import { readPtyOutput, SHELL_FIXTURES } from '../../../../support/terminal/ptyFixture.ts';
import { recordsOf, type Step } from '../../../../support/recording/recordList.ts';

const SECOND = 1_000_000_000n;
const SIZE = { cols: 20, rows: 4 };
const ENTER_ALTERNATE = '\x1b[?1049h\x1b[2J\x1b[H';
const LEAVE_ALTERNATE = '\x1b[?1049l';
const PROMPT_MARKS = '\x1b]133;D;0\x07\x1b]133;A\x07';
const COMMAND_MARK = '\x1b]133;C\x07';

function linesOf(records: readonly AhrRecord[], size = SIZE): HistoryLine[] {
  const told: HistoryLine[] = [];
  const history = new ScreenHistory({
    size,
    shell: { isAgent: startsAgent },
    onLine: (line) => told.push(line),
  });
  for (const record of records) history.play(record);
  const all = [...told, ...history.shown].sort((a, b) => a.order - b.order);
  history.dispose();
  return all;
}

/** The transcript of a shell; steps are `wait` seconds apart. */
function transcript(steps: readonly Step[], wait = 2n): string[] {
  const records = recordsOf(...steps).map((record) => ({
    ...record,
    tsNs: (record.tsNs / 1_000_000n) * wait * SECOND,
  }));
  return linesOf(records).map(({ text }) => text);
}

const numbers = (first: number, last: number, separator: string) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index).join(separator);

/** What `test/support/recordShell.ts` typed and bash printed. */
const RECORDED = [
  '$ seq -s, 1 50',
  numbers(1, 50, ','),
  '$ for i in 1 2 3 4; do seq -s" " $i 40; done',
  ...[1, 2, 3, 4].map((first) => numbers(first, 40, ' ')),
  '$ echo one',
  'one',
  '$ echo two',
  'two',
  '$ echo three',
  'three',
  '$ echo this command does is gone',
  'this command does is gone',
  '$ cat poem.txt',
  'roses are red',
  '$ ls note-',
  'note-a.txt  note-b.txt',
  '$ ls note-b.txt',
  'note-b.txt',
  '$ less numbers.txt',
  /^less: full screen, [23] s$/,
  '$ vim -u NONE -n notes.txt',
  /^vim: full screen, [23] s$/,
  '$ clear',
  '$ echo one',
  'one',
  '$ exit',
  'exit',
];

function assertTexts(actual: readonly string[], expected: readonly (string | RegExp)[]): void {
  const shown = expected.map((text, index) => {
    const line = actual[index] ?? '';
    return typeof text !== 'string' && text.test(line) ? line : text;
  });
  assert.deepEqual(actual, shown);
}

/** The same output in records of at most `length` bytes. */
function inPieces(records: readonly DataRecord[], length: number): DataRecord[] {
  return records.flatMap((record) => {
    const count = Math.ceil(record.bytes.length / length);
    return Array.from({ length: count }, (_, index) => ({
      ...record,
      startByteOffset: record.startByteOffset + index * length,
      bytes: record.bytes.subarray(index * length, (index + 1) * length),
    }));
  });
}

describe('the transcript of a shell', () => {
  for (const name of SHELL_FIXTURES) {
    const { size, records } = readPtyOutput(name);

    it(`has every line of ${name} once, in order`, () => {
      assertTexts(
        linesOf(records, size).map(({ text }) => text),
        RECORDED,
      );
    });

    it(`has the same lines of ${name} when the terminal delivers the bytes in pieces`, () => {
      for (const length of [1, 2, 3, 7, 50]) {
        const lines = linesOf(inPieces(records, length), size);
        assertTexts(
          lines.map(({ text }) => text),
          RECORDED,
        );
      }
    });
  }

  it('has every line of any output once, in order, however its records are cut', () => {
    const line = fc.oneof(
      fc.constantFrom('a', 'ab', '$'),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 90 }),
    );
    const cut = fc.integer({ min: 1, max: 120 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.array(cut, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(0n, 2n),
        (lines, cuts, wait) => {
          const pieces: string[] = [];
          let rest = lines.join('\r\n');
          for (let index = 0; rest !== ''; index++) {
            const length = cuts[index % cuts.length];
            pieces.push(rest.slice(0, length));
            rest = rest.slice(pieces.at(-1)!.length);
          }
          assert.deepEqual(transcript(pieces, wait), lines);
        },
      ),
    );
  });

  it('joins a line whose start has scrolled off before its end was printed', () => {
    const long = 'abcdefghij'.repeat(12);
    const printed = [long.slice(0, 50), long.slice(50, 95), `${long.slice(95)}\r\n`, 'x\r\ny\r\nz'];
    assert.deepEqual(transcript(printed), [long, 'x', 'y', 'z']);
    assert.deepEqual(transcript(printed, 0n), [long, 'x', 'y', 'z']);
  });

  it('keeps a line whose end was cleared after its start had scrolled off', () => {
    const long = 'abcdefghij'.repeat(10);
    assert.deepEqual(transcript([long, '\x1b[2J\x1b[Hnext'], 0n), [long, 'next']);
  });

  it('has the start of an endless line', () => {
    const [line, ...rest] = transcript(Array.from({ length: 20 }, () => 'x'.repeat(500)));
    assert.deepEqual([line?.length, rest], [2000, []]);
  });

  it('has only the final text of an edited command', () => {
    assert.deepEqual(transcript(['$ ', 'make', '\r$ git log\x1b[K', '\r$ ls\x1b[K', '\r\nout']), [
      '$ ls',
      'out',
    ]);
  });

  it('has the final text even if output follows in the same record', () => {
    const scrolling = '\r\x1b[K$ seq 3\r\n1\r\n2\r\n3\r\n$ ';
    assert.deepEqual(transcript(['$ ', 'make', scrolling, 'exit']), [
      '$ seq 3',
      ...'123',
      '$ exit',
    ]);
  });

  it('repeats lines that are printed again on a cleared screen', () => {
    const run = '$ ls\r\nfile\r\n$ ';
    const clear = 'clear\r\n\x1b[H\x1b[2J';
    assert.deepEqual(transcript([run, clear, run]), [
      '$ ls',
      'file',
      '$ clear',
      '$ ls',
      'file',
      '$',
    ]);
  });

  it('keeps lines that a notice pushes down', () => {
    assert.deepEqual(transcript(['$ make', '\r\x1b[K[1] done\r\n$ make', ' all']), [
      '[1] done',
      '$ make all',
    ]);
  });

  it('leaves out menus below a marked prompt, but not the output before it', () => {
    const menu = '\r\n\x1b[Kone  two\x1b[A\r\x1b[C\x1b[C\x1b[C\x1b[C';
    const steps = [
      'old\r\n',
      `${PROMPT_MARKS}$ `,
      'ls',
      menu,
      '\x1b[J',
      `\r\n${COMMAND_MARK}out\r\n`,
    ];
    assert.deepEqual(transcript(steps), ['old', '$ ls', 'out']);
    const cleared = ['old\r\n', `${PROMPT_MARKS}$ `, '\x1b[H\x1b[2J$ ', 'ls'];
    assert.deepEqual(transcript(cleared), ['old', '$ ls']);
  });

  it('keeps a marked prompt that the command clears', () => {
    const marks = [...PROMPT_MARKS.split(/(?<=\x07)/), '$ ', 'clear'];
    const clear = `\r\n${COMMAND_MARK}\x1b[H\x1b[2J${PROMPT_MARKS}`;
    assert.deepEqual(transcript([...marks, clear, '$ ']), ['$ clear', '$']);
  });

  it('has one line for a full-screen program, also while it runs', () => {
    const start = [
      '$ ',
      'sudo -E /usr/bin/htop -d 5\r\n',
      `${ENTER_ALTERNATE}cpu 1`,
      '\x1b[Hcpu 2',
    ];
    assert.deepEqual(transcript(start), ['$ sudo -E /usr/bin/htop -d 5', 'htop: full screen, 2 s']);
    assert.deepEqual(transcript([...start, `${LEAVE_ALTERNATE}$ exit`], 60n), [
      '$ sudo -E /usr/bin/htop -d 5',
      'htop: full screen, 2 min',
      '$ exit',
    ]);
    const [, long] = transcript([...start, `${LEAVE_ALTERNATE}$ exit`], 3750n);
    assert.equal(long, 'htop: full screen, 2 h 05 min');
  });

  for (const [line, name] of [
    ['seq 1 9 | less', 'seq 1 9 | less'],
    ['cd a && vim b', 'cd a && vim b'],
    ['less $(ls)', 'less $(ls)'],
    ['less 2>&1 < a &', 'less'],
  ] as const) {
    it(`has the whole line of several programs: “${line}”`, () => {
      const marked = `$ \x1b]633;E;${line}\x07\x1b]633;C\x07`;
      const steps = [marked, `${ENTER_ALTERNATE}text`, `${LEAVE_ALTERNATE}$ `];
      assert.equal(transcript(steps)[1], `${name}: full screen, 2 s`);
    });
  }

  it('has a snapshot at the end of its command, before the next one', () => {
    const first = `$ one\r\n${COMMAND_MARK}1\r\n${PROMPT_MARKS}$ `;
    const second = `two\r\n${COMMAND_MARK}2\r\n${PROMPT_MARKS}$ `;
    const history = new ScreenHistory({
      size: { cols: 40, rows: 10 },
      shell: { isAgent: startsAgent },
      onLine: () => assert.fail('All lines stay on the screen.'),
    });
    for (const record of recordsOf(first, second)) history.play(record);
    const snapshot = (id: string, byteOffset: number, kind: MomentKind): Moment => {
      return { id, kind, title: id, byteOffset, tsNs: 0n };
    };
    // Snapshots are taken a moment later, when the shell has printed its prompt.
    const moments = [
      snapshot('after one', first.length, 'snapshot'),
      snapshot('during two', first.length + second.indexOf('2'), 'snapshot'),
      snapshot('mark', first.length + second.length, 'mark'),
      snapshot('after two', first.length + second.length, 'snapshot'),
    ];
    const texts = transcriptOf(history.shown, moments, 0n, history.promptWaits);
    history.dispose();
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['$ one', '1', 'after one', '$ two', 'during two', '2', 'after two', '$', 'mark'],
    );
  });

  it('takes the name from the shell', () => {
    const program = [`${ENTER_ALTERNATE}text`, `${LEAVE_ALTERNATE}~ vi`];
    const marked = `~ vi\x1b]633;E;vi a.txt\x07\r\n\x1b]633;C\x07`;
    assert.deepEqual(transcript([marked, ...program]), ['~ vi', 'vi: full screen, 2 s', '~ vi']);
  });

  it('leaves out a full-screen program that ends at once', () => {
    const steps = ['$ less x\r\n', `${ENTER_ALTERNATE}text`, `${LEAVE_ALTERNATE}$ `];
    assert.deepEqual(transcript(steps, 0n), ['$ less x', '$']);
  });

  it('has the text of an agent that was started in it', () => {
    const steps = ['$ cd a && claude\r\n', `${ENTER_ALTERNATE}answer`, `${LEAVE_ALTERNATE}$ `];
    assert.deepEqual(transcript(steps), ['$ cd a && claude', 'answer', '$']);
  });

  for (const line of ['➜ repo ✗ opencode', '$ sudo']) {
    it(`has the text of a program that it does not know, as after “${line}”`, () => {
      const steps = [`${line}\r\n`, `${ENTER_ALTERNATE}answer`, `${LEAVE_ALTERNATE}➜ `];
      assert.deepEqual(transcript(steps), [line, 'answer', '➜']);
    });
  }
});
