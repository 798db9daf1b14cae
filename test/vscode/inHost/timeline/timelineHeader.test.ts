import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LiveSessions } from '../../../../src/agents/node/capture/liveSessions.ts';
import type { StatusView } from '../../../../src/agents/common/status/status.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import { TimelineConnection } from '../../../../src/extension/timeline/timelineConnection.ts';
import type { TimelineDocument } from '../../../../src/extension/timeline/timelineDocument.ts';
import { until } from '../../../support/ah.ts';
import { FakePanel } from '../../harness/pages/fakePanel.ts';

const FILE = '/a.ahr';

describe('the header of a timeline', () => {
  it('says what the agent of a running session is doing', () => {
    const session = {
      meta: { id: 'a', state: 'running', cmd: ['agent'], recording: FILE },
      notes: {},
    } as unknown as Session;
    const sent: string[] = [];
    const postMessage = (message: unknown) => {
      sent.push(JSON.stringify(message));
      return Promise.resolve(true);
    };
    const nothing = () => new vscode.Disposable(() => {});
    const changes = new Emitter<void>();
    let status: StatusView['status'] = 'unknown';
    const connection = new TimelineConnection({
      panel: {
        webview: { postMessage, onDidReceiveMessage: nothing },
        onDidDispose: nothing,
      } as unknown as vscode.WebviewPanel,
      document: { file: FILE, latest: [], onEvent: nothing } as unknown as TimelineDocument,
      store: { sessions: [session], onDidChange: nothing } as unknown as SessionStore,
      live: {
        onDidChange: changes.event,
        status: () => ({ status }) as StatusView,
      } as unknown as LiveSessions,
      opened: {} as OpenedSnapshots,
      openSession: () => {},
    });
    const states = ['unknown', 'running', 'waiting_approval', 'waiting'] as const;
    const texts = states.map((each) => {
      status = each;
      changes.fire();
      return /"stateText":"([^"]*)"/.exec(sent.at(-1) ?? '')?.[1];
    });
    connection.dispose();
    assert.deepEqual(texts, ['running', 'working', 'needs approval', 'waiting for you']);
  });

  it('names a session after it was deleted, and says that a branch was discarded', async () => {
    const nothing = () => new vscode.Disposable(() => {});
    const meta = {
      id: 'b',
      state: 'finished',
      cmd: ['agent'],
      recording: FILE,
      startedAtNs: 0n,
    };
    const branchOf = { fromSessionId: 'a', fromTs: 0n, fromByte: 0 };
    for (const [deleted, text] of [
      [{ ...meta, branchOf }, 'discarded'],
      [meta, 'deleted'],
    ] as const) {
      const changes = new Emitter<void>();
      const sessions = [{ meta: deleted, notes: { name: 'my branch' } }];
      const panel = new FakePanel();
      const connection = new TimelineConnection({
        panel: panel.panel,
        document: { file: FILE, latest: [], onEvent: nothing } as unknown as TimelineDocument,
        store: {
          sessions,
          onDidChange: changes.event,
          get: () => undefined,
        } as unknown as SessionStore,
        live: undefined,
        opened: {} as OpenedSnapshots,
        openSession: () => {},
      });
      const headers: string[] = [];
      panel.page.onMessage(({ json }) => headers.push(JSON.stringify(json)));
      changes.fire();
      sessions.pop();
      changes.fire();
      await until(() => headers.at(-1)?.includes(`"stateText":"${text}"`) === true, text);
      assert.match(headers.at(-1)!, /"sessionId":null,.*"name":"my branch"/);
      connection.dispose();
    }
  });
});
