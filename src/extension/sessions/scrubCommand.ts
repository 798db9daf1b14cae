import * as vscode from 'vscode';
import {
  checkAtRest,
  MIN_SCRUBBED_CHARACTERS,
  scrubSession,
  type ScrubResult,
  type ScrubStep,
} from '../../scrub/node/scrubSession.ts';
import { finishScrubs } from '../../scrub/node/journal/finishScrubs.ts';
import { showInformation, showWarning } from '../messages.ts';
import { isRunning, sessionName } from './session.ts';
import type { Services } from '../services.ts';
import { closeTranscripts } from '../transcript/registerTranscripts.ts';

/** Handles `AH: Scrub Text from Session…`: asks for a text and removes it permanently. */
export async function scrubText(
  argument: unknown,
  { catalogue, chooser, search, models, terminals, timelines }: Services,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => !isRunning(each),
    placeHolder: vscode.l10n.t('Select a session to remove text from'),
    none: vscode.l10n.t('No session has ended yet.'),
  });
  if (!session) return;
  await checkAtRest(session, catalogue);
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Scrub Text from Session'),
    prompt: vscode.l10n.t('Text to remove, such as a password that was printed'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim().length < MIN_SCRUBBED_CHARACTERS
        ? vscode.l10n.t('Enter at least {0} characters.', MIN_SCRUBBED_CHARACTERS)
        : undefined,
  });
  if (text === undefined) return;
  const remove = vscode.l10n.t('Remove Permanently');
  const question = vscode.l10n.t('Remove this text from “{0}”?', sessionName(session));
  const detail = vscode.l10n.t(
    'Replaces the text with asterisks in the session’s recording, events and transcripts, in the data that its branches started from, and in all snapshots of the same folder. You can’t undo this. Files in your workspace and in branches, and the agent’s own files, are not changed.',
  );
  const choice = await showWarning(question, { modal: true, detail }, remove);
  if (choice !== remove) return;
  let result: ScrubResult;
  try {
    result = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Removing text'),
        cancellable: true,
      },
      (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
        const onStep = (step: ScrubStep) => progress.report({ message: stepText(step) });
        return scrubSession(session, text, {
          catalogue,
          signal: abort.signal,
          onStep,
          forgetSearch: () => search.forget(),
          onReport: (report) => void showInformation(report),
        });
      },
    );
  } finally {
    // Do this even if the scrub failed half-way.
    models.forget(session.meta.id);
    // Terminals, timelines and transcripts may still show the text.
    terminals.close(session.meta.id);
    timelines.close(session.meta.recording);
    await closeTranscripts(session.meta.id);
  }
  const { recording, files, rewrittenSnapshots, removedSnapshots } = result;
  const count = rewrittenSnapshots + removedSnapshots;
  const gone = vscode.l10n.t(
    'Text removed. Matches in the recording: {0}, in other files: {1}, changed snapshots: {2}.',
    ...[recording, files, count],
  );
  const removed = vscode.l10n.t('Deleted snapshots: {0}.', removedSnapshots);
  void showInformation(removedSnapshots > 0 ? `${gone} ${removed}` : gone);
  const others = remainingTexts(result.left);
  if (others.length > 0) {
    void showWarning(
      vscode.l10n.t(
        'The text is still in places that AH Time Travel does not change: {0}',
        others.join('; '),
      ),
    );
  }
}

/** Call at each start: a scrub whose window was killed is completed or undone. */
export async function finishInterruptedScrubs({ catalogue, search, log }: Services): Promise<void> {
  await finishScrubs({ catalogue, forgetSearch: () => search.forget() }, (text) => {
    log.info(text);
    void showInformation(text);
  });
}

function remainingTexts({ agentFiles, sessions, folders, screens }: ScrubResult['left']): string[] {
  return [
    ...agentFiles,
    ...sessions.map((id) => vscode.l10n.t('session {0} (a branch)', id)),
    ...folders.map((folder) => vscode.l10n.t('the name of the folder {0}', folder)),
    ...screens.map((byte) => vscode.l10n.t('the screen at byte {0}, drawn piece by piece', byte)),
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
    case 'apply':
      return vscode.l10n.t('replacing files; this can’t be cancelled');
    case 'check':
      return vscode.l10n.t('checking');
  }
}
