import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS, CONTEXT_KEYS, EDITORS } from '../../../../src/extension/contributions.ts';
import { activate } from '../../../../src/extension/extension.ts';
import { Channel, type Transport } from '../../../../src/rpc/channel.ts';
import { decodeState } from '../../../../src/timeline/common/protocol/playbackCodec.ts';
import type {
  PageState,
  RecordingHostProtocol,
  RecordingPageProtocol,
} from '../../../../src/timeline/common/protocol/recordingPageProtocol.ts';
import {
  WEBVIEW_PROTOCOL_VERSION,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
} from '../../../../src/timeline/common/protocol/timelineProtocol.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { ModelScreen } from '../../../support/terminal/modelScreen.ts';
import { FakePanel } from '../../harness/pages/fakePanel.ts';
import { fakeContext } from '../../harness/fakeContext.ts';
import { ResourceLedger } from '../../harness/resourceLedger.ts';

type Handler = (argument?: unknown) => Promise<unknown>;

describe('activation on Windows', function () {
  this.timeout(30_000);

  it('opens recordings, and refuses to record with a sentence', async () => {
    const extension = vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!;
    const { extensionUri } = extension;
    // Without this, the extension may become active while the API is replaced.
    await extension.activate();
    const storage = mkdtempSync(path.join(tmpdir(), 'ah-d-'));
    const dataFolder = process.env['AH_DATA_DIR'];
    process.env['AH_DATA_DIR'] = path.join(storage, 'ah');
    const ledger = new ResourceLedger();
    const handlers = new Map<string, Handler>();
    const editors = new Map<string, vscode.CustomReadonlyEditorProvider>();
    const messages: string[] = [];
    const restores = [
      replace(vscode.commands, 'registerCommand', (id: string, handler: Handler) => {
        handlers.set(id, handler);
        return new vscode.Disposable(() => {});
      }),
      replace(
        vscode.window,
        'registerCustomEditorProvider',
        (id: string, editor: vscode.CustomReadonlyEditorProvider) => {
          editors.set(id, editor);
          return new vscode.Disposable(() => {});
        },
      ),
      ...(['showErrorMessage', 'showInformationMessage'] as const).map((name) =>
        replace(vscode.window, name, (text: string) => {
          messages.push(text);
          return Promise.resolve(undefined);
        }),
      ),
    ];
    const subscriptions: vscode.Disposable[] = [];
    const file = path.join(storage, 'session.ahr');
    writeFileSync(file, (await write(recordsOf([20, 3], 'first\r\n', 'last'))).bytes);
    const tabs: FakePanel[] = [];
    const open = async (id: string) => {
      const editor = editors.get(id)!;
      const token = new vscode.CancellationTokenSource().token;
      const options = { backupId: undefined, untitledDocumentData: undefined };
      const document = await editor.openCustomDocument(vscode.Uri.file(file), options, token);
      const tab = new FakePanel();
      tabs.push(tab);
      await editor.resolveCustomEditor(document, tab.panel, token);
      return tab.page;
    };
    try {
      activate(fakeContext(extensionUri.fsPath, subscriptions), 'win32');
      assert.deepEqual([...handlers.keys()].sort(), Object.values(COMMANDS).sort());
      assert.deepEqual([...editors.keys()], Object.values(EDITORS));
      assert.equal(await timelineText(await open(EDITORS.recording)), 'first\nlast');
      assert.deepEqual(await finalLines(await open(EDITORS.finalLines)), ['first', 'last']);
      await handlers.get(COMMANDS.recordAgent)?.();
      await handlers.get(COMMANDS.branchHere)?.();
      assert.equal(messages.length, 3, 'one notice and two refusals');
      for (const message of messages) assert.match(message, /^Recording needs VS Code on Linux/);
    } finally {
      for (const tab of tabs) tab.close();
      await vscode.commands.executeCommand('setContext', CONTEXT_KEYS.isReadOnly, false);
      for (const restore of restores.reverse()) restore();
      ledger.restore();
      for (const subscription of subscriptions.reverse()) subscription.dispose();
      process.env['AH_DATA_DIR'] = dataFolder;
      rmSync(storage, { recursive: true });
    }
  });
});

/** The last screen, as the page of a timeline gets it. */
async function timelineText(page: Transport): Promise<string> {
  let isOpen = false;
  const channel = new Channel<TimelinePageProtocol, TimelineHostProtocol>(
    page,
    {},
    {
      extent: () => void (isOpen = true),
      moments: () => {},
      hits: () => {},
      trouble: () => {},
      replaced: () => {},
      session: () => {},
      actions: () => {},
      branches: () => {},
      reveal: () => {},
      menu: () => {},
    },
  );
  await channel.request('hello', { protocolVersion: WEBVIEW_PROTOCOL_VERSION });
  await until(() => isOpen, 'the recording');
  const { body, binary } = await channel.request('frame', { end: true });
  const screen = new ModelScreen();
  await screen.reset(decodeState(body, binary));
  return screen.text;
}

/** The lines that the page of final lines gets once the recording has been read. */
async function finalLines(page: Transport): Promise<string[]> {
  let count = 0;
  const channel = new Channel<RecordingPageProtocol, RecordingHostProtocol>(
    page,
    {},
    { state: (body) => void (count = (body as PageState).itemCount) },
  );
  channel.notify('ready', null);
  await until(() => count === 2, 'both lines');
  const { body } = await channel.request('items', { from: 0, to: count });
  return body.items.flatMap((item) =>
    'runs' in item ? item.runs.map(([text]) => text).join('') : [],
  );
}

function replace(target: object, name: string, value: unknown): () => void {
  const original = Object.getOwnPropertyDescriptor(target, name)!;
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true });
  return () => Object.defineProperty(target, name, original);
}
