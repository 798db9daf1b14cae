import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseItemRange,
  type PageItem,
  type RecordingHostProtocol,
  type RecordingPageProtocol,
} from '../../timeline/common/protocol/recordingPageProtocol.ts';
import type { RecordedItem } from '../../terminal/lines/recordedLines.ts';
import type { OpenRecording } from '../../terminal/lines/recordingContent.ts';
import { styledRuns } from '../../timeline/common/styledRuns.ts';
import { reportFailure } from '../commandRegistry.ts';
import { EDITORS } from '../contributions.ts';
import { RecordingDocument } from './recordingDocument.ts';
import { tabIcon } from '../tabIcon.ts';
import { WebviewTransport } from '../timeline/webviewTransport.ts';
import { recordingHtml, recordingResources } from './recordingHtml.ts';
import { pageState, type SessionFacts } from './recordingState.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';

/** What the editor needs from the desktop or web extension. */
export interface RecordingEditorOptions {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  open(uri: vscode.Uri): OpenRecording;
  /** The session of a recording, if it is known. */
  sessionOf(uri: vscode.Uri): SessionFacts | undefined;
  readonly onDidChangeSessions: Event<void>;
}

/**
 * Registers the editors of `*.ahr` files.
 * @param timeline shows local recordings; without it they open as pages
 */
export function registerRecordingEditor(
  options: RecordingEditorOptions,
  timeline?: TimelineOpener,
): vscode.Disposable {
  const page = new RecordingEditor(options);
  const editorOptions = (enableFindWidget: boolean) => ({
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { enableFindWidget },
  });
  const first = timeline ? new TimelineEditor(page, timeline) : page;
  return vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(EDITORS.recording, first, editorOptions(!timeline)),
    vscode.window.registerCustomEditorProvider(EDITORS.finalLines, page, editorOptions(true)),
  );
}

/** Turns a tab into the timeline of a recording. */
export type TimelineOpener = (panel: vscode.WebviewPanel, file: string, title: string) => void;

/** Opens local files as timelines and others as pages. */
class TimelineEditor implements vscode.CustomReadonlyEditorProvider {
  readonly #page: RecordingEditor;
  readonly #open: TimelineOpener;

  constructor(page: RecordingEditor, open: TimelineOpener) {
    this.#page = page;
    this.#open = open;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return uri.scheme === 'file' ? { uri, dispose: () => {} } : this.#page.openCustomDocument(uri);
  }

  resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    if (document instanceof RecordingDocument) this.#page.resolveCustomEditor(document, panel);
    else this.#open(panel, document.uri.fsPath, nameOf(document.uri));
  }
}

class RecordingEditor implements vscode.CustomReadonlyEditorProvider<RecordingDocument> {
  readonly #options: RecordingEditorOptions;

  constructor(options: RecordingEditorOptions) {
    this.#options = options;
  }

  openCustomDocument(uri: vscode.Uri): RecordingDocument {
    const { log } = this.#options;
    const what = vscode.l10n.t('Opening {0}', nameOf(uri));
    const fail = (error: unknown) =>
      void reportFailure(what, log, () => Promise.reject(error as Error));
    return new RecordingDocument(uri, this.#options.open(uri), fail);
  }

  resolveCustomEditor(document: RecordingDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const { extensionUri } = this.#options;
    const resources = new DisposableStore();
    panel.onDidDispose(() => resources.dispose());
    const show = () => {
      const session = this.#options.sessionOf(document.uri);
      if (session) panel.title = session.name;
      if (!document.state) return;
      channel.notify('state', pageState(nameOf(document.uri), document.state, session));
    };
    const channel = resources.add(
      new Channel<RecordingHostProtocol, RecordingPageProtocol>(
        resources.add(new WebviewTransport(panel)),
        {
          items: async (params) => {
            const { from, to } = parseItemRange(params);
            const { generation, items } = await document.items(from, to);
            return { body: { generation, from, items: items.map(pageItem) } };
          },
        },
        { ready: show },
      ),
    );
    resources.add(document.onDidChange(show));
    resources.add(
      this.#options.onDidChangeSessions(() => {
        document.refresh();
        show();
      }),
    );
    panel.iconPath = tabIcon(extensionUri, 'finalLines');
    webview.options = {
      enableScripts: true,
      localResourceRoots: recordingResources(extensionUri),
    };
    webview.html = recordingHtml(webview, extensionUri);
  }
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.replace(/^.*\//, '');
}

function pageItem(item: RecordedItem): PageItem {
  if (item.kind === 'line') {
    const runs = styledRuns(item.styled).map(
      (run) => [run.text, run.foreground, run.background, run.style] as const,
    );
    return { number: item.number, runs };
  }
  const label = item.label || vscode.l10n.t('Moment');
  return { label, time: clockText(dateOf(item.tsNs), vscode.env.language) };
}
