import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import { withTurns, type Moment } from '../../../../../src/timeline/common/moments/moment.ts';
import {
  plainTitle,
  RecordedMoments,
} from '../../../../../src/timeline/common/moments/recordedMoments.ts';
import { recordsOf } from '../../../../support/recording/recordList.ts';

function momentsOf(records: readonly AhrRecord[]): Moment[] {
  const moments = new RecordedMoments();
  return records.flatMap((record) => moments.after(record));
}

const SESSION =
  '\x1b]633;A\x07$ \x1b]633;B\x07\x1b]633;E;npm test \\x3b echo \\\\ done\x07\x1b]633;C\x07ran\r\n\x1b]633;D;1\x07' +
  '\x1b]0;a title\x07\x1b]133;C\x1b\\ok\r\n\x1b]133;D;0\x1b\\';

describe('RecordedMoments', () => {
  it('finds commands and failures, also across chunks of output', () => {
    const whole = momentsOf(recordsOf(SESSION));
    assert.deepEqual(
      whole.map(({ kind, title, detail, byteOffset }) => ({ kind, title, detail, byteOffset })),
      [
        {
          kind: 'tool',
          title: 'npm test ; echo \\ done',
          detail: undefined,
          byteOffset: SESSION.indexOf('ran'),
        },
        {
          kind: 'error',
          title: 'npm test ; echo \\ done',
          detail: 'Exit code 1',
          byteOffset: SESSION.indexOf('\x1b]0;'),
        },
        { kind: 'tool', title: 'Command', detail: undefined, byteOffset: SESSION.indexOf('ok\r') },
      ],
    );
    for (let cut = 1; cut < SESSION.length; cut++) {
      const cutInTwo = momentsOf(recordsOf(SESSION.slice(0, cut), SESSION.slice(cut)));
      const facts = (moments: Moment[]) => moments.map(({ id, title }) => [id, title]);
      assert.deepEqual(facts(cutInTwo), facts(whole), `cut at ${cut}`);
    }
  });

  it('shows each pause as a gap, also one that lasted until the end', () => {
    const mark = (code: number, seconds: number): AhrRecord => {
      return { kind: 'mark', tsNs: BigInt(seconds) * 1_000_000_000n, code, value: 0 };
    };
    const pauses = [mark(2, 10), mark(0, 20), mark(3, 130), mark(2, 140), mark(1, 145)];
    const moments = momentsOf([...recordsOf('abc'), ...pauses]);
    const last = new Map(moments.map((moment) => [moment.id, moment]));
    assert.deepEqual(
      [...last.values()].map(({ kind, title, byteOffset }) => [kind, title, byteOffset]),
      [
        ['mark', 'Not recorded, 2 min', 3],
        ['mark', 'Not recorded, 5 s', 3],
      ],
    );
    assert.deepEqual(momentsOf([...recordsOf('abc'), mark(1, 145)]), []);
  });

  it('shows a pause that no mark ends, as after a kill', () => {
    const pause: AhrRecord = { kind: 'mark', tsNs: 10n, code: 2, value: 0 };
    const [moment] = momentsOf([...recordsOf('abc'), pause]);
    assert.equal(moment?.title, 'Not recorded from here on');
    assert.deepEqual([moment?.tsNs, moment?.byteOffset], [10n, 3]);
  });

  it('finds reported moments and resizes, except the initial size', () => {
    const snapshot: AhrRecord = {
      kind: 'snapshot',
      tsNs: 5n,
      snapshotId: 2n ** 63n,
      anchorByte: 3,
      label: 'after\x1b[31m <b>edit</b>\n',
    };
    const moments = momentsOf([...recordsOf([80, 24], 'abc', [100, 30]), snapshot]);
    assert.deepEqual(
      moments.map(({ kind, title, byteOffset, snapshotId }) => [
        kind,
        title,
        byteOffset,
        snapshotId,
      ]),
      [
        ['resize', '100 × 30', 3, undefined],
        ['mark', 'after <b>edit</b>', 3, undefined],
      ],
    );
  });

  it('turns any label into one short plain line', () => {
    assert.equal(plainTitle(' a\x00\x1b\u202eb\r\n'), 'a b');
    assert.equal(plainTitle('x'.repeat(500)).length, 200);
  });

  it('numbers turns by their prompts', () => {
    const at = (kind: Moment['kind']): Moment => {
      return { id: kind, kind, tsNs: 0n, byteOffset: 0, title: '' };
    };
    const turns = withTurns([at('resize'), at('prompt'), at('tool'), at('prompt')]);
    assert.deepEqual(
      turns.map(({ turn }) => turn),
      [undefined, 1, 1, 2],
    );
  });
});
