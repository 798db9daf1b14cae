import * as vscode from 'vscode';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import {
  MIN_SCRUBBED_CHARACTERS,
  scrubSession,
  type ScrubResult,
  type ScrubStep,
} from '../../scrub/node/scrubSession.ts';
import type { SearchThread } from '../../search/node/searchThread.ts';
import type { ModelSummaries } from '../agents/modelSummaries.ts';
import { showInformation, showWarning } from '../messages.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import type { TimelinePanels } from '../timeline/timelinePanels.ts';

/** `AH: Scrub Text from Session…`: asks for a text and takes it out of all that is kept, for good. */
export async function scrubText(
  argument: unknown,
  parts: {
    readonly catalogue: Catalogue;
    readonly chooser: SessionChooser;
    readonly search: SearchThread;
    readonly models: ModelSummaries;
    readonly terminals: SessionTerminals;
    readonly timelines: TimelinePanels;
    closeTranscripts(sessionId: string): Promise<void>;
  },
): Promise<void> {
  const { catalogue, chooser, search, models, terminals, timelines } = parts;
  const session = await chooser.choose(argument, {
    accepts: (each) => !isRunning(each),
    placeHolder: vscode.l10n.t('From which session shall a text be removed?'),
    none: vscode.l10n.t('There is no session that has ended.'),
  });
  if (!session) return;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Scrub Text from Session'),
    prompt: vscode.l10n.t('The text to remove, such as a password that was shown'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim().length < MIN_SCRUBBED_CHARACTERS
        ? vscode.l10n.t('At least {0} characters.', MIN_SCRUBBED_CHARACTERS)
        : undefined,
  });
  if (text === undefined) return;
  const remove = vscode.l10n.t('Remove for Good');
  const question = vscode.l10n.t('Remove this text from “{0}”?', sessionName(session));
  const detail = vscode.l10n.t(
    'It is replaced by stars in the recording, its events and transcripts, in what its branches were made of, and in all snapshots of the same folder. This cannot be undone. The files of your workspace and of branches stay as they are, and so does what the agent keeps itself.',
  );
  const choice = await showWarning(question, { modal: true, detail }, remove);
  if (choice !== remove) return;
  let result: ScrubResult;
  try {
    result = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Removing a text'),
        cancellable: true,
      },
      (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
        const onStep = (step: ScrubStep) => progress.report({ message: stepText(step) });
        return scrubSession(session, text, {
          ...{ catalogue, signal: abort.signal, onStep },
          forgetSearch: () => search.forget(),
        });
      },
    );
  } finally {
    // Also after one that could not reach everything.
    models.forget(session.meta.id);
    // What they last showed may still be on the screen, and what was searched for in them.
    terminals.close(session.meta.id);
    timelines.close(session.meta.recording);
    await parts.closeTranscripts(session.meta.id);
  }
  const { recording, files, rewrittenSnapshots, removedSnapshots } = result;
  const count = rewrittenSnapshots + removedSnapshots;
  const gone = vscode.l10n.t(
    'The text is gone. Recording: {0}, other files: {1}, snapshots: {2}.',
    ...[recording, files, count],
  );
  const removed = vscode.l10n.t('Snapshots that had to be removed: {0}.', removedSnapshots);
  void showInformation(removedSnapshots > 0 ? `${gone} ${removed}` : gone);
  const others = leftTexts(result.left);
  if (others.length > 0) {
    void showWarning(
      vscode.l10n.t('The text is still in what is not ours to change: {0}', others.join('; ')),
    );
  }
}

function leftTexts({ agentFiles, sessions, folders }: ScrubResult['left']): string[] {
  return [
    ...agentFiles,
    ...sessions.map((id) => vscode.l10n.t('session {0}, which is a branch', id)),
    ...folders.map((folder) => vscode.l10n.t('the name of the folder {0}', folder)),
  ];
}

function stepText(step: ScrubStep): string {
  switch (step) {
    case 'recording':
      return vscode.l10n.t('the recording');
    case 'files':
      return vscode.l10n.t('events and transcripts');
    case 'snapshots':
      return vscode.l10n.t('snapshots');
    case 'check':
      return vscode.l10n.t('checking');
  }
}
