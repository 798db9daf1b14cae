import * as vscode from 'vscode';
import { registerCommands, reportFailure } from '../commandRegistry.ts';
import { setContextKey } from '../contextKeys.ts';
import { COMMANDS, CONTEXT_KEYS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { asSessionArgument } from '../transcript/transcriptUri.ts';
import { openFact } from './openFact.ts';
import { openTimeline } from './openTimeline.ts';
import { openTimelinesBeside } from './timelineBeside.ts';
import { searchSessions } from './searchSessions.ts';

/** Registers the ways to open a timeline: by command, from a search, and from a link. */
export function registerTimeline(
  _context: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, store, chooser, search, timelines } = services;
  return vscode.Disposable.from(
    openTimelinesBeside(services),
    timelines.onDidShow(() => void setContextKey(CONTEXT_KEYS.hasOpenedTimeline, true)),
    registerCommands(
      {
        [COMMANDS.openTimeline]: (argument) =>
          openTimeline(asSessionArgument(argument), chooser, timelines),
        [COMMANDS.searchSessions]: () => searchSessions(store, timelines, search),
        [COMMANDS.reconnectTimeline]: (argument) => timelines.reconnect(argument),
        [COMMANDS.branchInTimeline]: (argument) => timelines.runMenu('branch', argument),
        [COMMANDS.copyMomentLink]: (argument) => timelines.runMenu('link', argument),
        [COMMANDS.copyScreenText]: (argument) => timelines.runMenu('copyScreen', argument),
        [COMMANDS.openFact]: (argument) => openFact(argument, store, timelines),
      },
      log,
    ),
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        void reportFailure(vscode.l10n.t('Opening a link'), log, async () => {
          await store.refresh();
          timelines.showLink(uri);
        }),
    }),
  );
}
