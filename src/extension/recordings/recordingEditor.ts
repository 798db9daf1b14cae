import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { parseFromPage, type PageItem, type ToPage } from '../../timeline/common/recordingPage.ts';
import type { RecordedItem } from '../../terminal/lines/recordedLines.ts';
import type { OpenRecording } from '../../terminal/lines/recordingContent.ts';
import { styledRuns } from '../../timeline/common/styledRuns.ts';
import { reportFailure } from '../commandRegistry.ts';
import { EDITORS } from '../contributions.ts';
import { RecordingDocument } from './recordingDocument.ts';
import { recordingHtml, recordingResources } from './recordingHtml.ts';
import { pageState, type SessionFacts } from './recordingState.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';

/** What the editor needs of where it runs. */
export interface RecordingPlaces {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  open(uri: vscode.Uri): OpenRecording;
  /** The session that a recording is of, when it is known here. */
  sessionOf(uri: vscode.Uri): SessionFacts | undefined;
  readonly onDidChangeSessions: Event<void>;
}

/**
 * Opens `*.ahr` files to be read: as a page with their final lines.
 *
 * @param timeline shows a recording of this machine as a timeline instead, where there is one
 */
export function registerRecordingEditor(
  places: RecordingPlaces,
  timeline?: TimelineOpener,
): vscode.Disposable {
  const page = new RecordingEditor(places);
  const options = (enableFindWidget: boolean) => ({
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { enableFindWidget },
  });
  const first = timeline ? new TimelineEditor(page, timeline) : page;
  return vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(EDITORS.recording, first, options(!timeline)),
    vscode.window.registerCustomEditorProvider(EDITORS.finalLines, page, options(true)),
  );
}

/** Makes a tab the timeline of a recording. */
export type TimelineOpener = (panel: vscode.WebviewPanel, file: string, title: string) => void;

/** The timeline of a file; what is no file of this machine is left to the page. */
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
  readonly #places: RecordingPlaces;

  constructor(places: RecordingPlaces) {
    this.#places = places;
  }

  openCustomDocument(uri: vscode.Uri): RecordingDocument {
    const { log } = this.#places;
    const what = vscode.l10n.t('Opening {0}', nameOf(uri));
    const fail = (error: unknown) =>
      void reportFailure(what, log, () => Promise.reject(error as Error));
    return new RecordingDocument(uri, this.#places.open(uri), fail);
  }

  resolveCustomEditor(document: RecordingDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const { extensionUri } = this.#places;
    const resources = new DisposableStore();
    panel.onDidDispose(() => resources.dispose());
    const post = (message: ToPage) => void webview.postMessage(message);
    const show = () => {
      const session = this.#places.sessionOf(document.uri);
      if (session) panel.title = session.name;
      if (!document.state) return;
      const state = pageState(nameOf(document.uri), document.state, session);
      post({ kind: 'state', state });
    };
    const read = async (from: number, to: number) => {
      const { generation, items } = await document.items(from, to);
      post({ kind: 'items', generation, from, items: items.map(pageItem) });
    };
    resources.add(document.onDidChange(show));
    resources.add(
      this.#places.onDidChangeSessions(() => {
        document.refresh();
        show();
      }),
    );
    resources.add(
      webview.onDidReceiveMessage((value: unknown) => {
        const message = parseFromPage(value);
        if (message?.kind === 'ready') show();
        // What fails here has failed in the document too, and was reported there.
        else if (message?.kind === 'read') read(message.from, message.to).catch(() => {});
      }),
    );
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
