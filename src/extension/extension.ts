import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wallNs } from '../platform/node/systemClock.ts';
import { BranchRegistry } from '../branching/node/branchRegistry.ts';
import { expiredSessions, removeSessions } from '../sessions/node/sessionRetention.ts';
import { parseTextBundle } from '../base/textBundle.ts';
import { registerAgents } from './agents/registerAgents.ts';
import { registerBranches } from './branches/registerBranches.ts';
import { reportFailure } from './commandRegistry.ts';
import { configuration } from './configuration.ts';
import { registerDiagnostics } from './diagnostics/registerDiagnostics.ts';
import { activateReadOnly } from './readOnly/activateReadOnly.ts';
import { canRecordOn } from './readOnly/platformSupport.ts';
import { registerRecordings } from './recordings/registerRecordings.ts';
import { createServices, type Services } from './services.ts';
import { finishInterruptedScrubs } from './sessions/scrubCommand.ts';
import { registerSessions } from './sessions/registerSessions.ts';
import { registerSnapshots } from './snapshots/registerSnapshots.ts';
import { registerTerminals } from './terminals/registerTerminals.ts';
import { registerTimeline } from './timeline/registerTimeline.ts';
import { registerTranscripts } from './transcript/registerTranscripts.ts';

/**
 * Time after which a window that starts removes the files of deleted sessions: a window that has
 * closed can no longer offer to undo the deletion.
 */
const PURGE_AFTER_MS = 10 * 60 * 1000;

let services: Services | undefined;

/** Called when the window reloads or the extension is disabled; recorders keep running. */
export async function deactivate(): Promise<void> {
  await services?.terminals.showAttachCommands();
}

/**
 * Registers every feature; the context disposes them.
 * @param platform only tests pass it
 */
export function activate(
  context: vscode.ExtensionContext,
  platform: string = process.platform,
): void {
  if (!canRecordOn(platform)) return activateReadOnly(context);
  l10n.config({ contents: parseTextBundle(vscode.l10n.bundle) });
  const created = createServices(context);
  services = created;
  context.subscriptions.push(
    registerTerminals(context, created),
    registerSessions(context, created),
    registerAgents(context, created),
    registerSnapshots(context, created),
    registerTimeline(context, created),
    registerTranscripts(context, created),
    registerBranches(context, created),
    registerRecordings(context, created),
    registerDiagnostics(context, created),
  );
  void reportFailure(vscode.l10n.t('Activation'), created.log, () => start(created));
}

/**
 * Shows running sessions again, then finishes interrupted scrubs and removes the files of deleted
 * and expired sessions.
 */
async function start(services: Services): Promise<void> {
  const { store, terminals, deleted, catalogue, log } = services;
  await store.refresh();
  const { keepDays, reattach } = configuration();
  if (reattach) await terminals.reattach();
  await finishInterruptedScrubs(services);
  await deleted.purgeOlderThan(PURGE_AFTER_MS);
  const branches = new BranchRegistry();
  const expired =
    keepDays > 0 ? await expiredSessions(catalogue, keepDays, wallNs(), branches) : [];
  if (expired.length === 0) return;
  log.info(`Removing ${expired.length} sessions that ended more than ${keepDays} days ago.`);
  await removeSessions(expired, deleted);
  await store.refresh();
}
