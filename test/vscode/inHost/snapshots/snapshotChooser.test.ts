import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionChooser } from '../../../../src/extension/sessions/sessionChooser.ts';
import type { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import { SnapshotChooser } from '../../../../src/extension/snapshots/snapshotChooser.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';
import { KEPT_FILES } from '../../../support/git/writeSnapshotLines.ts';
import { useStubs } from '../../harness/useStubs.ts';

function lineOf(id: bigint, files: SnapshotFiles): SnapshotLine {
  return { id, tsNs: id, label: 'Edit', kind: 'auto', anchorByte: 0, trigger: 'tool', files };
}

describe('the list of snapshots to choose from', () => {
  const { replace } = useStubs();

  it('says which were late, and leaves out those without files', async () => {
    const snapshots = [
      lineOf(1n, { ...KEPT_FILES, isLate: true }),
      lineOf(2n, { ...KEPT_FILES, stats: { changed: 1 }, isLate: true }),
      lineOf(3n, { ...KEPT_FILES, stats: { changed: 2 } }),
      lineOf(4n, { state: 'elsewhere' }),
    ];
    const meta = { id: 's', cwd: '/code', cmd: ['claude'], startedAtNs: 1n };
    const session = { folder: '/sessions/s', notes: {}, meta };
    const sessions = { choose: () => Promise.resolve(session) };
    const opened = { files: () => Promise.resolve({ snapshots }) };
    let details: (string | undefined)[] = [];
    replace(vscode.window, 'showQuickPick', (items: vscode.QuickPickItem[]) => {
      details = items.map(({ detail }) => detail);
      return Promise.resolve(undefined);
    });
    const chooser = new SnapshotChooser(
      sessions as unknown as SessionChooser,
      opened as unknown as OpenedSnapshots,
    );
    assert.equal(await chooser.choose(undefined, ''), undefined);
    assert.deepEqual(details, [
      '2 files changed',
      '1 file changed · late: may contain later changes',
      'late: may contain later changes',
    ]);
  });
});
