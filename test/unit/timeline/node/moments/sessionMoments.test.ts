import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotFiles } from '../../../../../src/snapshots/common/snapshotLine.ts';
import type { Moment } from '../../../../../src/timeline/common/moments/moment.ts';
import type { RecordIndex } from '../../../../../src/timeline/common/recordIndex.ts';
import { SessionMoments } from '../../../../../src/timeline/node/moments/sessionMoments.ts';
import { KEPT_FILES, writeSnapshotLines } from '../../../../support/git/writeSnapshotLines.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** The index of a recording without output. */
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

describe('the number of changed files of a turn', () => {
  const folder = useTemporaryFolder();

  /**
   * @param calls for each tool call, how many changed files its snapshot counts, and which ones the
   *   agent names
   */
  async function detailOf(calls: readonly (readonly [number, readonly string[]])[]) {
    const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
    const snapshotLine = (id: number, label: string, changed: number) =>
      `{"id":${id},"ts_ns":${id}000000,"label":"${label}","kind":"auto","trigger":"tool",` +
      `"anchor_byte":0,"fs_snapshot":true,"provider":"git","ref":"x","stats":{"changed":${changed}},"skipped":[]}\n`;
    const snapshots = calls.map(([changed], i) => snapshotLine(i + 2, `tool ${i}`, changed));
    const events = calls.map(([, files], i) => {
      const call = `${base},"callId":"${i}","timeNs":${i + 1}700000,"tool":"Bash"`;
      return (
        `{"id":"c${i}","kind":"tool.call",${call},"action":"shell","input":{},"title":"tool ${i}"}\n` +
        `{"id":"r${i}","kind":"tool.result",${call},"outcome":"ok","summary":"","files":${JSON.stringify(files)}}\n`
      );
    });
    const prompt = `{"id":"p","kind":"user.prompt",${base},"timeNs":1500000,"text":"fix"}\n`;
    const file = (name: string) => path.join(folder.path, `session.${name}`);
    writeFileSync(file('snapshots.jsonl'), snapshotLine(1, 'Start', 9) + snapshots.join(''));
    writeFileSync(file('events.jsonl'), prompt + events.join(''));
    const moments = new SessionMoments(file('ahr'));
    await moments.refresh();
    return moments.merge([], INDEX).find(({ kind }) => kind === 'prompt')?.detail;
  }

  it('comes from its only snapshot with changes, even if the agent names no file', async () => {
    assert.equal(await detailOf([[1, []]]), '1 tool call · 1 file changed');
    const calls = [[2, ['a.ts']] as const, [0, []] as const];
    assert.equal(await detailOf(calls), '2 tool calls · 2 files changed');
  });

  it('comes from the agent if it names all changes', async () => {
    const calls = [[1, ['a.ts']] as const, [1, ['a.ts']] as const];
    assert.equal(await detailOf(calls), '2 tool calls · 1 file changed');
  });

  it('is missing if a call may have changed the same files as another', async () => {
    assert.equal(await detailOf([[1, []] as const, [1, ['a.ts']] as const]), '2 tool calls');
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
      ['mark', 'Session start', 'another program stores the files', undefined],
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
