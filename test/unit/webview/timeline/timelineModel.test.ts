import assert from 'node:assert/strict';
import { passes, usefulFilters } from '../../../../src/webview/timeline/moments/momentFilter.ts';
import { momentAt, momentBeside } from '../../../../src/webview/timeline/moments/momentSteps.ts';
import { parseExtent, type PageMoment } from '../../../../src/webview/timeline/host/parseEvents.ts';
import { TimelineModel } from '../../../../src/webview/timeline/timelineModel.ts';

const moment = (id: string, byteOffset: number, rest: Partial<PageMoment> = {}): PageMoment => {
  return { id, kind: 'tool', timeMs: byteOffset, byteOffset, title: id, ...rest };
};

const extentOf = (endMs: number, gaps: number[]) =>
  parseExtent({
    ...{ startNs: '1760000000000000000', endMs, totalBytes: 1000, recordCount: 10 },
    ...{ isIndexed: true, isFinished: true, problem: null, gaps },
  });

describe('TimelineModel', () => {
  it('leaves room for what happened, however much of the time was idle', () => {
    const model = new TimelineModel();
    model.setExtent(extentOf(1_000_000, [10_000, 900_000]));
    const { axis } = model;
    const share = (axis.toFolded(900_000) - axis.toFolded(10_000)) / axis.foldedEndMs;
    assert.ok(share > 0.02 && share < 0.1, `the gap takes ${share}`);
    const many = Array.from({ length: 200 }, (_, index) => [
      index * 5000 + 500,
      index * 5000 + 5000,
    ]);
    model.setExtent(extentOf(1_000_000, many.flat()));
    const busy = 200 * 500;
    assert.ok(busy / model.axis.foldedEndMs > 0.7, 'most of the line is what happened');
  });

  it('shows idle time as long as it was when it is not skipped', () => {
    const model = new TimelineModel();
    model.setExtent(extentOf(100_000, [1000, 90_000]));
    model.setIdleSkipped(false);
    assert.equal(model.axis.foldedEndMs, 100_000);
    assert.equal(model.schedule.toFolded(90_000), 90_000);
  });

  it('goes on showing all of a session that grows, and a part that was zoomed to', () => {
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

  it('offers the filters that make a difference', () => {
    const moments = [
      moment('a', 1, { kind: 'prompt' }),
      moment('b', 2),
      moment('c', 3, { kind: 'snapshot', snapshotId: '7', isManual: true }),
    ];
    assert.deepEqual(usefulFilters(moments), [
      ...['all', 'prompts', 'tools', 'snapshots', 'manual', 'automatic'],
    ]);
    assert.deepEqual(usefulFilters(moments.slice(0, 1)), ['all', 'prompts']);
    assert.deepEqual(
      moments.filter((each) => passes(each, 'snapshots')).map(({ id }) => id),
      ['c'],
    );
  });

  it('refuses what it is told when that cannot be', () => {
    const bad = { startNs: 'x', endMs: 0, totalBytes: 0, gaps: [] };
    assert.throws(() => parseExtent(bad), { code: 'bad-request' });
    assert.throws(() => extentOf(NaN, []), { code: 'bad-request' });
    assert.throws(() => extentOf(5, [1]), { code: 'bad-request' });
  });
});

describe('momentBeside', () => {
  const moments = [moment('a', 10), moment('b', 20), moment('c', 20), moment('d', 30)];
  const from = (byteOffset: number, current?: string) => ({ byteOffset, current });

  it('steps by output from anywhere, and one by one from a moment', () => {
    assert.equal(momentBeside(moments, from(15), 1)?.id, 'b');
    assert.equal(momentBeside(moments, from(20, 'b'), 1)?.id, 'c');
    assert.equal(momentBeside(moments, from(20, 'c'), -1)?.id, 'b');
    assert.equal(momentBeside(moments, from(20), -1)?.id, 'a');
    assert.equal(momentBeside(moments, from(30, 'd'), 1), undefined);
    assert.equal(momentBeside(moments, from(10, 'a'), -1), undefined);
  });

  it('knows which moment a place belongs to', () => {
    assert.equal(momentAt(moments, 25)?.id, 'c');
    assert.equal(momentAt(moments, 5), undefined);
  });
});
