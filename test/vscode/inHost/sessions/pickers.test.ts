import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BranchRecord } from '../../../../src/branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import type { Attention } from '../../../../src/extension/agents/attention.ts';
import { showWaiting } from '../../../../src/extension/agents/waitingCommands.ts';
import { BranchChooser } from '../../../../src/extension/branches/branchChooser.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { SessionChooser } from '../../../../src/extension/sessions/sessionChooser.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import { SnapshotChooser } from '../../../../src/extension/snapshots/snapshotChooser.ts';
import type { SessionTerminals } from '../../../../src/extension/terminals/sessionTerminals.ts';
import { factRows, hitRows } from '../../../../src/extension/timeline/searchRows.ts';
import type { TimelinePanels } from '../../../../src/extension/timeline/timelinePanels.ts';
import type { FoundFact } from '../../../../src/search/node/factSource.ts';
import type { SearchHit } from '../../../../src/timeline/common/search/searchHits.ts';
import { useStubs } from '../../harness/useStubs.ts';

const NANOSECONDS = 1_000_000n;
/** Local noon, so that the day is the same in every time zone. */
const STARTED = new Date(2025, 10, 3, 12, 34);
const START_NS = BigInt(STARTED.getTime()) * NANOSECONDS;

function sessionIn(id: string, cwd: string): Session {
  const meta = { id, cwd, workspace: cwd, cmd: ['claude'], state: 'finished' };
  const times = { startedAtNs: START_NS, endedAtNs: START_NS };
  return {
    folder: `/sessions/${id}`,
    notes: {},
    meta: { ...meta, ...times },
  } as unknown as Session;
}

/** Lists have sessions of several days, and names of agents repeat. */
describe('each picker', () => {
  const { replace } = useStubs();
  const sessions = [sessionIn('a', '/code/one'), sessionIn('b', '/code/two')];
  const store = {
    sessions,
    refresh: () => Promise.resolve(),
    get: (id: string) => sessions.find(({ meta }) => meta.id === id),
  } as unknown as SessionStore;
  const terminals = { sessionIn: () => undefined } as unknown as SessionTerminals;
  const chooser = new SessionChooser(store, terminals);

  /** The rows of the next picker, each as one text, after its title. */
  function picking(): { rows: string[] } {
    const shown = { rows: [] as string[] };
    const pick = (items: vscode.QuickPickItem[], { title = '' }: vscode.QuickPickOptions = {}) => {
      shown.rows = items.map((item) => textOf(item, title));
      return Promise.resolve(undefined);
    };
    replace(vscode.window, 'showQuickPick', pick);
    return shown;
  }
  const textOf = ({ label, description, detail }: vscode.QuickPickItem, title = '') =>
    [title, label, description, detail].join(' | ');

  function assertPlaces(rows: readonly string[], ...folders: string[]): void {
    assert.equal(rows.length, folders.length);
    for (const [index, folder] of folders.entries()) {
      assert.ok(rows[index]!.includes(folder), `${rows[index]} has ${folder}`);
      assert.match(rows[index]!, /Nov 3, 2025, 12:34/);
    }
  }

  it('of sessions', async () => {
    const shown = picking();
    await chooser.choose(undefined, { accepts: () => true, placeHolder: '', none: '' });
    assertPlaces(shown.rows, '/code/one', '/code/two');
  });

  it('of waiting sessions', async () => {
    const status = { status: 'waiting', reason: 'asked', evidence: [] };
    const waiting = sessions.map((session) => ({ session, status }));
    const shown = picking();
    await showWaiting({ waiting } as unknown as Attention);
    assertPlaces(shown.rows, '/code/one', '/code/two');
  });

  it('of branches, complete or not', async () => {
    const records = sessions.map(
      ({ meta }) =>
        ({
          id: meta.id,
          name: 'fix',
          createdAtNs: START_NS,
          workspace: meta.cwd,
          from: { workspace: '/code' },
        }) as BranchRecord,
    );
    const registry = {
      list: () => Promise.resolve(records),
      isLeftover: ({ id }: BranchRecord) => Promise.resolve(id === 'b'),
    } as unknown as BranchRegistry;
    const shown = picking();
    await new BranchChooser(chooser, registry).choose(undefined);
    assertPlaces(shown.rows, '/code/one', '/code/two');
    assert.match(shown.rows[1]!, /incomplete/);
  });

  it('of snapshots', async () => {
    const line = { id: 1n, label: 'Edit', tsNs: START_NS, files: { state: 'kept', stats: {} } };
    const opened = {
      files: () => Promise.resolve({ snapshots: [line] }),
    } as unknown as OpenedSnapshots;
    const shown = picking();
    await new SnapshotChooser(chooser, opened).choose({ meta: { id: 'b' } }, 'Select');
    assertPlaces(shown.rows, '/code/two');
    assert.match(shown.rows[0]!, /Edit \| Nov 3, 2025, 12:34.* · #1/);
  });

  it('of search results', () => {
    const fact: FoundFact = {
      session: 'a',
      event: '1',
      kind: 'prompt',
      byte: 0,
      excerpt: 'Deploy',
      timeMs: STARTED.getTime(),
    };
    const hit: SearchHit = {
      excerpt: 'deployed',
      start: 0,
      length: 6,
      timeMs: 90_000,
      byteOffset: 1,
      recordIndex: 1,
      isPassing: false,
    };
    const rows = [
      ...factRows([fact], store),
      ...hitRows(sessions[1]!, [hit], [fact], {} as TimelinePanels),
    ];
    assertPlaces(
      rows.map((row) => textOf(row)),
      '/code/one',
      '/code/two',
    );
  });
});
