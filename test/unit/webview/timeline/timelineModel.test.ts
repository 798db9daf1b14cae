import assert from 'node:assert/strict';
import { targetOf } from '../../../../src/webview/timeline/moments/listRows.ts';
import { momentFacts } from '../../../../src/webview/timeline/moments/momentFacts.ts';
import {
  matchesFilter,
  usefulFilters,
} from '../../../../src/webview/timeline/moments/momentFilter.ts';
import { momentAt, adjacentMoment } from '../../../../src/webview/timeline/moments/momentSteps.ts';
import { parseExtent } from '../../../../src/webview/timeline/host/parseEvents.ts';
import type { PageMoment } from '../../../../src/timeline/common/moments/moment.ts';
import { TimelineModel } from '../../../../src/webview/timeline/timelineModel.ts';

const moment = (id: string, byteOffset: number, rest: Partial<PageMoment> = {}): PageMoment => {
  return { id, kind: 'tool', timeMs: byteOffset, byteOffset, title: id, ...rest };
};

const extentOf = (endMs: number, gaps: (readonly (number | undefined)[])[]) =>
  parseExtent({
    startNs: '1760000000000000000',
    endMs,
    totalBytes: 1000,
    recordCount: 10,
    unicodeVersion: '11',
    isIndexed: true,
    isFinished: true,
    problem: null,
    gaps: gaps.map(([fromMs, toMs]) => ({ fromMs, toMs })),
  });

describe('TimelineModel', () => {
  it('leaves room for activity, however long the idle time is', () => {
    const model = new TimelineModel();
    model.setExtent(extentOf(1_000_000, [[10_000, 900_000]]));
    const { axis } = model;
    const share = (axis.toFolded(900_000) - axis.toFolded(10_000)) / axis.foldedEndMs;
    assert.ok(share > 0.02 && share < 0.1, `the gap takes ${share}`);
    const many = Array.from({ length: 200 }, (_, index) => [
      index * 5000 + 500,
      index * 5000 + 5000,
    ]);
    model.setExtent(extentOf(1_000_000, many));
    const busy = 200 * 500;
    assert.ok(busy / model.axis.foldedEndMs > 0.7, 'most of the line is what happened');
  });

  it('shows idle time in full when it is not skipped', () => {
    const model = new TimelineModel();
    model.setExtent(extentOf(100_000, [[1000, 90_000]]));
    model.setIdleSkipped(false);
    assert.equal(model.axis.foldedEndMs, 100_000);
    assert.equal(model.playbackAxis.toFolded(90_000), 90_000);
  });

  it('keeps showing all of a growing session, or the zoomed part', () => {
    const model = new TimelineModel();
    model.setExtent(extentOf(10_000, []));
    model.setExtent(extentOf(20_000, []));
    assert.deepEqual(model.zoom, { from: 0, to: 20_000 });
    assert.equal(model.isZoomed, false);
    model.zoomBy(4, 10_000);
    const { zoom } = model;
    model.setExtent(extentOf(30_000, []));
    assert.deepEqual(model.zoom, zoom);
    model.reveal(29_000);
    assert.ok(model.zoom.from <= 29_000 && model.zoom.to >= 29_000);
  });

  it('offers the filters that have an effect', () => {
    const moments = [
      moment('a', 1, { kind: 'prompt' }),
      moment('b', 2),
      moment('c', 3, { kind: 'snapshot', snapshotId: '7', isManual: true }),
    ];
    assert.deepEqual(usefulFilters(moments), [
      'all',
      'prompts',
      'tools',
      'snapshots',
      'manual',
      'automatic',
    ]);
    assert.deepEqual(usefulFilters(moments.slice(0, 1)), ['all', 'prompts']);
    assert.deepEqual(
      moments.filter((each) => matchesFilter(each, 'snapshots')).map(({ id }) => id),
      ['c'],
    );
  });

  it('lists resizes only if their filter is chosen', () => {
    const model = new TimelineModel();
    const resize = moment('r', 2, { kind: 'resize' });
    model.setMoments([moment('a', 1, { kind: 'prompt' }), resize]);
    const shown = () => model.visibleMoments.map(({ id }) => id);
    assert.deepEqual(shown(), ['a']);
    assert.deepEqual(usefulFilters(model.moments), ['all', 'prompts', 'resizes']);
    model.setFilter('automatic');
    assert.deepEqual(shown(), ['a']);
    model.setFilter('resizes');
    assert.deepEqual(shown(), ['r']);
  });

  it('shows the time of every moment, and the number of a snapshot', () => {
    assert.deepEqual(momentFacts({ moment: moment('a', 61_000), parts: [] }), { time: '1:01' });
    const snapshot = moment('b', 2000, { kind: 'snapshot', snapshotId: '7' });
    assert.deepEqual(momentFacts({ moment: snapshot, parts: [] }), { number: '#7', time: '0:02' });
    const late = { moment: { ...snapshot, isLate: true }, parts: [] };
    assert.deepEqual(momentFacts(late), { number: '#7 · late', time: '0:02' });
    const tool = { moment: moment('a', 1000), parts: [snapshot] };
    assert.deepEqual(momentFacts(tool), { number: '#7', time: '0:01' }, 'its own time');
  });

  it('knows that a session has no files once the recording is read', () => {
    const model = new TimelineModel();
    assert.equal(model.hasNoFiles, true, 'without a session');
    model.setSession({ ...model.session, sessionId: 's' });
    assert.equal(model.hasNoFiles, false, 'while it is read');
    model.setMoments([moment('a', 10), moment('b', 20, { kind: 'mark' })]);
    model.setExtent(extentOf(1000, []));
    assert.equal(model.hasNoFiles, true);
    model.setMoments([moment('a', 10), moment('b', 20, { kind: 'snapshot', snapshotId: '7' })]);
    assert.equal(model.hasNoFiles, false);
  });

  it('lists one row for a tool call, which every moment of it leads to', () => {
    const model = new TimelineModel();
    const part = (id: string, byteOffset: number, rest: Partial<PageMoment>) =>
      moment(id, byteOffset, { partOf: 'tool', ...rest });
    model.setMoments([
      moment('prompt', 1, { kind: 'prompt' }),
      part('message', 2, { kind: 'message' }),
      moment('tool', 3),
      part('approval', 4, { kind: 'approval' }),
      part('snapshot', 5, { kind: 'snapshot', snapshotId: '1' }),
      moment('later', 6),
      moment('lone', 7, { kind: 'snapshot', snapshotId: '2', partOf: 'unknown' }),
    ]);
    const rows = () => model.rows.map((row) => row.moment.id).join(' ');
    assert.equal(rows(), 'prompt tool later lone');
    for (const id of ['message', 'tool', 'approval', 'snapshot'])
      assert.equal(model.rowOf(id)?.moment.id, 'tool');
    assert.equal(model.rowOf('none'), undefined);
    assert.equal(model.visibleMoments.length, 7, 'each has its mark on the scrubber');
    model.setFilter('snapshots');
    assert.equal(rows(), 'snapshot lone', 'a part whose tool call is not listed');
    assert.equal(model.rowOf('snapshot')?.moment.id, 'snapshot');
    model.setFilter('tools');
    assert.equal(rows(), 'tool later');
    assert.equal(model.rowOf('snapshot')?.moment.id, 'tool');
  });

  it('leads to the question that waits, or to where the tool call ended', () => {
    const tool = moment('tool', 3);
    const snapshot = moment('snapshot', 5, { kind: 'snapshot', snapshotId: '1' });
    const approval = moment('approval', 4, { kind: 'approval' });
    assert.equal(targetOf({ moment: tool, parts: [] }), tool);
    assert.equal(targetOf({ moment: tool, parts: [approval, snapshot] }), snapshot);
    const open = { ...approval, isOpen: true };
    assert.equal(targetOf({ moment: tool, parts: [open] }), open);
    const failed = moment('snapshot', 5, { kind: 'snapshot', isError: true });
    assert.equal(targetOf({ moment: tool, parts: [failed] }), tool);
  });

  it('rejects an invalid extent', () => {
    const bad = { startNs: 'x', endMs: 0, totalBytes: 0, gaps: [] };
    assert.throws(() => parseExtent(bad), { code: 'bad-request' });
    assert.throws(() => extentOf(NaN, []), { code: 'bad-request' });
    assert.throws(() => extentOf(5, [[1, undefined]]), { code: 'bad-request' });
  });
});

describe('adjacentMoment', () => {
  const moments = [moment('a', 10), moment('b', 20), moment('c', 20), moment('d', 30)];
  const from = (byteOffset: number, current?: string) => ({ byteOffset, current });

  it('steps by output, or one by one from a moment', () => {
    assert.equal(adjacentMoment(moments, from(15), 1)?.id, 'b');
    assert.equal(adjacentMoment(moments, from(20, 'b'), 1)?.id, 'c');
    assert.equal(adjacentMoment(moments, from(20, 'c'), -1)?.id, 'b');
    assert.equal(adjacentMoment(moments, from(20), -1)?.id, 'a');
    assert.equal(adjacentMoment(moments, from(30, 'd'), 1), undefined);
    assert.equal(adjacentMoment(moments, from(10, 'a'), -1), undefined);
  });

  it('finds the moment of a position', () => {
    assert.equal(momentAt(moments, 25)?.id, 'c');
    assert.equal(momentAt(moments, 5), undefined);
  });
});
