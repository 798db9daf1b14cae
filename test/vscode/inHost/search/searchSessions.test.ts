import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import { searchSessions } from '../../../../src/extension/timeline/searchSessions.ts';
import type { TimelinePanels } from '../../../../src/extension/timeline/timelinePanels.ts';
import { SearchThread } from '../../../../src/search/node/searchThread.ts';
import { AhSandbox, until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { placeSession } from '../../harness/sessions/placeSession.ts';
import { useStubs } from '../../harness/useStubs.ts';

const SECOND_NS = 1_000_000_000n;
const HOME = '\x1b[2J\x1b[H';

describe('the search of all sessions', function () {
  this.timeout(60_000);
  const { replace, restores } = useStubs();
  const extension = vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!;
  const folder = path.join(extension.extensionPath, 'dist');

  it('lists each text of a session once, and what a prompt says only as the prompt', async () => {
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const frame = `${HOME}> Bake a gooseberry pie\r\n│ gooseberry oven: on │`;
    const frames = [frame, HOME, frame, HOME, frame, HOME];
    const records = recordsOf([60, 10], ...frames).map((record, index) => ({
      ...record,
      tsNs: BigInt(index) * SECOND_NS,
    }));
    const name = 'baking session';
    const placed = await placeSession(sandbox, workspace, {
      name,
      size: { cols: 60, rows: 10 },
      records,
    });
    const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
    const timeNs = placed.startedAtNs + SECOND_NS;
    const text = 'Bake a gooseberry pie, please';
    writeFileSync(
      path.join(path.dirname(placed.recording), 'session.events.jsonl'),
      `{"id":"p1","kind":"user.prompt",${base},"timeNs":${timeNs},"byte":5,"text":"${text}"}\n`,
    );
    const meta = { id: placed.id, recording: placed.recording, cwd: workspace };
    const session = {
      folder: path.dirname(placed.recording),
      notes: { name },
      meta: { ...meta, state: 'finished', startedAtNs: placed.startedAtNs, cmd: ['claude'] },
    } as unknown as Session;
    // Without the sessions of other suites, whose long recordings take a while.
    const store = {
      sessions: [session],
      refresh: () => Promise.resolve(),
      get: () => session,
    } as unknown as SessionStore;
    const timelines = { workerFile: path.join(folder, 'timelineWorker.cjs') } as TimelinePanels;
    const index = new SearchThread(
      path.join(folder, 'searchWorker.cjs'),
      path.join(sandbox.folder, 'pies.sqlite'),
    );
    restores.push(() => index.dispose());

    const picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    const create = vscode.window.createQuickPick.bind(vscode.window);
    replace(vscode.window, 'showInputBox', () => Promise.resolve('gooseberry'));
    replace(vscode.window, 'createQuickPick', () => {
      const pick = create();
      picks.push(pick);
      restores.push(() => pick.hide());
      return pick;
    });
    await searchSessions(store, timelines, index);
    const [pick] = picks;
    assert.ok(pick);
    await until(() => !pick.busy, 'the end of the search');
    assert.deepEqual(
      pick.items.map(({ description }) => description),
      [text, '│ gooseberry oven: on │  ×3'],
    );
    for (const { detail } of pick.items) {
      assert.ok(detail?.startsWith(`${name} · `) && detail.endsWith(` · ${workspace}`), detail);
    }
    // VS Code highlights the value of the box in the rows.
    assert.deepEqual([pick.value, pick.matchOnDescription], ['gooseberry', true]);
  });
});
