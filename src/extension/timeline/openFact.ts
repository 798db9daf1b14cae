import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/**
 * Opens the timeline at a search result. Checks the argument, because any extension can call this.
 */
export function openFact(
  argument: unknown,
  store: SessionStore,
  timelines: TimelinePanels,
): Promise<void> {
  const { session: id, byte } = (argument ?? {}) as { session?: unknown; byte?: unknown };
  const session = typeof id === 'string' ? store.get(id) : undefined;
  if (!session) {
    throw new UserError('session-not-found', vscode.l10n.t('This session no longer exists.'));
  }
  const isPlace = typeof byte === 'number' && Number.isSafeInteger(byte) && byte >= 0;
  timelines.show(session, isPlace ? { byteOffset: byte } : undefined);
  return Promise.resolve();
}
