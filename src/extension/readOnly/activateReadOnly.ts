import * as vscode from 'vscode';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { showInformation } from '../messages.ts';
import { registerRecordings } from '../recordings/registerRecordings.ts';
import { SessionStore } from '../sessions/sessionStore.ts';
import { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import { TimelinePanels } from '../timeline/timelinePanels.ts';
import { readOnlyReason, registerReadOnly } from './registerReadOnly.ts';

/** Set once the user was told that this platform can't record. */
const NOTICE_SHOWN = 'readOnly.noticeShown';

/** Activates the part that needs no recorder: `*.ahr` files open as timelines. */
export function activateReadOnly(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('AH Time Travel', { log: true });
  const catalogue = new Catalogue();
  const store = new SessionStore(catalogue);
  const opened = new OpenedSnapshots(catalogue);
  const memento = context.workspaceState;
  const timelines = new TimelinePanels(context.extensionUri, store, opened, memento);
  context.subscriptions.push(
    log,
    store,
    opened,
    timelines,
    registerReadOnly(log),
    registerRecordings(context, { log, store, timelines }),
  );
  log.warn(`Recording is not supported on ${process.platform}.`);
  if (context.globalState.get(NOTICE_SHOWN) === true) return;
  void context.globalState.update(NOTICE_SHOWN, true);
  void showInformation(readOnlyReason());
}
