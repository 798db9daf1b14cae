import assert from 'node:assert/strict';
import type { SnapshotLine } from '../../../../../src/snapshots/common/snapshotLine.ts';
import { snapshotsByTool } from '../../../../../src/timeline/node/moments/toolSnapshots.ts';

const KEPT = { state: 'kept', provider: 'git', ref: 'r', stats: {}, omissions: [] } as const;

const line = (id: bigint, atNs: bigint, label: string, rest: Partial<SnapshotLine> = {}) =>
  ({
    id,
    tsNs: atNs,
    label,
    anchorByte: 0,
    kind: 'auto',
    trigger: 'tool',
    files: KEPT,
    ...rest,
  }) satisfies SnapshotLine;

const tool = (id: string, tsNs: bigint, title: string) => ({ id, tsNs, title });

const found = (tools: ReturnType<typeof tool>[], snapshots: SnapshotLine[]) =>
  [...snapshotsByTool(tools, snapshots)].map(([id, { id: number }]) => `${id} ${number}`).sort();

describe('the snapshot of a tool call', () => {
  it('has its title as label, also where tools run in parallel', () => {
    const tools = [
      tool('edit', 1n, 'Edit a.ts'),
      tool('read', 2n, 'Read b.ts'),
      tool('test', 3n, 'npm  test'),
    ];
    const lines = [
      line(1n, 4n, 'npm test'),
      line(2n, 5n, 'Edit a.ts'),
      line(3n, 6n, 'Prompt: go on'),
    ];
    assert.deepEqual(found(tools, lines), ['edit 2', 'test 1']);
  });

  it('is a separate one for each of equal calls, one after another or in parallel', () => {
    const tools = [1n, 3n, 5n, 6n].map((atNs) => tool(`t${atNs}`, atNs, 'npm test'));
    const lines = [2n, 4n, 7n, 8n].map((atNs) => line(atNs, atNs, 'npm test'));
    assert.deepEqual(found(tools, lines), ['t1 2', 't3 4', 't5 8', 't6 7']);
  });

  it('is never one of another trigger, or one that has failed', () => {
    const tools = [tool('t', 1n, 'npm test')];
    assert.deepEqual(found(tools, [line(1n, 2n, 'npm test', { trigger: 'manual' })]), []);
    const failed = { state: 'failed', reason: 'The disk is full.' } as const;
    assert.deepEqual(found(tools, [line(1n, 2n, 'npm test', { files: failed })]), []);
    assert.deepEqual(found(tools, [line(1n, 2n, 'npm test', { files: { state: 'pending' } })]), [
      't 1',
    ]);
    assert.deepEqual(found(tools, [line(1n, 0n, 'npm test')]), [], 'it is from before');
  });

  it('is found where an older recorder has cut the label', () => {
    const title = 'x'.repeat(300);
    assert.deepEqual(found([tool('t', 1n, title)], [line(1n, 2n, title.slice(0, 200))]), ['t 1']);
  });
});
