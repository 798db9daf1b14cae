import * as vscode from 'vscode';
import type { Catalogue } from '../../node/catalogue.ts';
import {
  MIN_SCRUBBED_CHARACTERS,
  scrubSession,
  type ScrubStep,
} from '../../node/scrub/scrubSession.ts';
import type { SearchThread } from '../../node/search/searchThread.ts';
import { isRunning, sessionName } from '../session.ts';
import type { SessionChooser } from '../sessionChooser.ts';

/** `AH: Scrub Text from Session…`: asks for a text and takes it out of all that is kept, for good. */
export async function scrubText(
  argument: unknown,
  parts: {
    readonly catalogue: Catalogue;
    readonly chooser: SessionChooser;
    readonly search: SearchThread;
  },
): Promise<void> {
  const { catalogue, chooser, search } = parts;
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
    'It is replaced by stars in the recording, its events and transcripts, and in all snapshots of the same folder. This cannot be undone. The files of your workspace stay as they are.',
  );
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, remove);
  if (choice !== remove) return;
  const result = await vscode.window.withProgress(
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
  const { recording, files, rewrittenSnapshots, removedSnapshots } = result;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The text is gone: {0} × from the recording, from {1} other files and {2} snapshots; {3} snapshots were removed.',
      ...[recording, files, rewrittenSnapshots, removedSnapshots],
    ),
  );
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
