import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotFiles } from '../../../../../src/snapshots/common/snapshotLine.ts';
import type { Moment } from '../../../../../src/timeline/common/moments/moment.ts';
import type { RecordIndex } from '../../../../../src/timeline/common/recordIndex.ts';
import { SessionMoments } from '../../../../../src/timeline/node/moments/sessionMoments.ts';
import { KEPT_FILES, writeSnapshotLines } from '../../../../support/git/writeSnapshotLines.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Of a recording without output. */
const INDEX = {
  startNs: 0n,
  byteAfter: () => 0,
  recordAtTime: () => 0,
} as unknown as RecordIndex;

describe('the changes of a turn', () => {
  const folder = useTemporaryFolder();

  it('are those between the snapshots around it', async () => {
    const snapshots = [1, 2, 3, 4].map(
      (id) =>
        `{"id":${id},"ts_ns":${id}000000,"label":"s","kind":"auto","trigger":"tool",` +
        '"anchor_byte":0,"fs_snapshot":true,"provider":"git","ref":"x","stats":{},"skipped":[]}\n',
    );
    const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
    const prompts = [1_500_000, 3_500_000].map(
      (timeNs) =>
        `{"id":"p${timeNs}","kind":"user.prompt",${base},"timeNs":${timeNs},"text":"fix"}\n`,
    );
    writeFileSync(path.join(folder.path, 'session.snapshots.jsonl'), snapshots.join(''));
    writeFileSync(path.join(folder.path, 'session.events.jsonl'), prompts.join(''));
    const moments = new SessionMoments(path.join(folder.path, 'session.ahr'));
    await moments.refresh();
    assert.deepEqual(
      moments
        .merge([], INDEX)
        .filter(({ kind }) => kind === 'prompt')
        .map(({ changesFromId, changesId }) => [changesFromId, changesId]),
      [
        ['1', '3'],
        ['3', '4'],
      ],
    );
  });
});

describe('the moment of a snapshot', () => {
  const folder = useTemporaryFolder();

  async function momentsOf(files: SnapshotFiles): Promise<Moment[]> {
    const snapshot = { tsNs: 1n, snapshotId: 7n, anchorByte: 0, label: 'Session start' };
    writeSnapshotLines(folder.path, [{ kind: 'snapshot', ...snapshot }], files);
    const moments = new SessionMoments(path.join(folder.path, 'session.ahr'));
    await moments.refresh();
    return moments.merge([], INDEX);
  }

  it('says that the snapshot was late', async () => {
    const [moment] = await momentsOf({ ...KEPT_FILES, stats: { changed: 2 }, isLate: true });
    assert.equal(moment?.isLate, true);
    assert.equal(moment.detail, '2 files changed · late: may contain later changes');
    assert.equal((await momentsOf(KEPT_FILES))[0]?.isLate, undefined);
  });

  it('is no snapshot if another program stores the files', async () => {
    const [moment] = await momentsOf({ state: 'elsewhere' });
    assert.deepEqual(
      [moment?.kind, moment?.title, moment?.detail, moment?.snapshotId],
      ['mark', 'Session start', 'reported by a program, without files', undefined],
    );
  });
});

describe('the snapshot of a tool call', () => {
  const folder = useTemporaryFolder();

  const snapshotLine = (id: number, label: string, trigger: string, changed: number) =>
    `{"id":${id},"ts_ns":${id}000000,"label":"${label}","kind":"auto","trigger":"${trigger}",` +
    `"anchor_byte":0,"fs_snapshot":true,"provider":"git","ref":"x","stats":{"changed":${changed}},"skipped":[]}\n`;
  const callLines = (id: string, timeNs: number, title: string, files: readonly string[]) => {
    const base = `"source":"hook","confidence":"high","agent":"claudeCode","callId":"${id}"`;
    return (
      `{"id":"${id}","kind":"tool.call",${base},"timeNs":${timeNs},"tool":"Bash","action":"shell","input":{},"title":"${title}"}\n` +
      `{"id":"r${id}","kind":"tool.result",${base},"timeNs":${timeNs + 100},"tool":"Bash","outcome":"ok","summary":"","files":${JSON.stringify(files)}}\n`
    );
  };

  it('is a part of it, and its changed files are the detail unless the agent named them', async () => {
    const snapshots = [
      snapshotLine(2, 'npm run build', 'tool', 3),
      snapshotLine(4, 'make docs', 'tool', 1),
      snapshotLine(5, 'Prompt: go on', 'tool', 1),
      snapshotLine(6, 'Session end', 'end', 2),
    ];
    const events = [
      callLines('a', 1_500_000, 'npm run build', []),
      callLines('b', 3_500_000, 'make docs', ['docs/a.md']),
      callLines('c', 4_500_000, 'cat a.ts', []),
    ];
    writeFileSync(path.join(folder.path, 'session.snapshots.jsonl'), snapshots.join(''));
    writeFileSync(path.join(folder.path, 'session.events.jsonl'), events.join(''));
    const moments = new SessionMoments(path.join(folder.path, 'session.ahr'));
    await moments.refresh();
    assert.deepEqual(
      moments
        .merge([], INDEX)
        .filter(({ kind }) => kind === 'tool' || kind === 'snapshot')
        .map(({ id, partOf, detail, changesId }) => [id, partOf, detail, changesId]),
      [
        ['event-a', undefined, '3 files changed', '2'],
        ['snapshot-2-0', 'event-a', '3 files changed', undefined],
        ['event-b', undefined, 'docs/a.md', '4'],
        ['snapshot-4-0', 'event-b', '1 file changed', undefined],
        ['event-c', undefined, undefined, '5'],
        ['snapshot-5-0', undefined, '1 file changed', undefined],
        ['snapshot-6-0', undefined, '2 files changed', undefined],
      ],
    );
  });
});
