import * as vscode from 'vscode';
import type { NoticeKind } from '../agents/common/status/notice.ts';
import { configuredUnicodeVersion, type UnicodeVersion } from '../base/unicodeVersion.ts';
import type { CarryMode } from '../branching/node/carry/carryFiles.ts';
import { MAX_SCROLLBACK_LINES } from '../sessions/common/recorderProtocol.ts';
import { MAX_SNAPSHOT_MINUTES } from '../sessions/node/launchSpec.ts';
import { retention, type RetentionPolicy } from '../snapshots/common/retention.ts';
import { SETTINGS } from './contributions.ts';

const SECTION = 'ah';
/** VS Code's default of `terminal.integrated.scrollback`. */
const DEFAULT_SCROLLBACK_LINES = 1000;

export interface Configuration {
  /** Absolute paths by agent ID, for agents that are not on PATH. */
  readonly agentExecutables: Readonly<Record<string, string>>;
  /** Whether Codex may run hooks that the user has not reviewed. */
  readonly allowsUnreviewedHooks: boolean;
  readonly terminalLocation: 'panel' | 'editor';
  readonly terminalOnClose: 'keepRunning' | 'stop';
  /** Whether a session's timeline opens with its terminal in the editor area. */
  readonly opensTimelineBeside: boolean;
  readonly reattach: boolean;
  readonly sessionsShown: 'workspace' | 'all';
  /** Brotli quality, 0 to 11. */
  readonly compression: number;
  /** Whether new sessions take snapshots. */
  readonly keepsFiles: boolean;
  /** Minutes between automatic snapshots; 0 disables them. */
  readonly snapshotMinutes: number;
  /** Age and size limits of snapshots. */
  readonly retention: RetentionPolicy;
  /** Enabled notifications. */
  readonly notifies: Readonly<Record<NoticeKind, boolean>>;
  /** Whether echoed input is recorded. */
  readonly capturesInput: boolean;
  /** Whether recognizable secrets are replaced before they are recorded. */
  readonly redacts: boolean;
  /** Whether interactive shells announce their commands. */
  readonly integratesShell: boolean;
  /** Whether the activity of known agents is captured. */
  readonly followsAgents: boolean;
  /** Days after which ended sessions are deleted; 0 keeps all. */
  readonly keepDays: number;
  /** Whether the user's language model summarizes sessions. */
  readonly usesLanguageModel: boolean;
  /** Patterns of ignored files that a branch gets from the original. */
  readonly carriedFiles: readonly string[];
  readonly carryMode: CarryMode;
  /** Scrollback of VS Code's terminals, limited to what a recorder can keep. */
  readonly scrollbackLines: number;
  /** Unicode version by which VS Code's terminals decide the width of characters. */
  readonly unicodeVersion: UnicodeVersion;
}

/** Reads the current settings; package.json defines their defaults. */
export function configuration(): Configuration {
  const ah = vscode.workspace.getConfiguration(SECTION);
  const integrated = vscode.workspace.getConfiguration('terminal.integrated');
  return {
    agentExecutables: ah.get<Record<string, string>>(SETTINGS.agentExecutables) ?? {},
    allowsUnreviewedHooks: ah.get<boolean>(SETTINGS.unreviewedHooks) === true,
    terminalLocation: ah.get<string>(SETTINGS.terminalLocation) === 'panel' ? 'panel' : 'editor',
    opensTimelineBeside: ah.get<boolean>(SETTINGS.timelineBeside) !== false,
    terminalOnClose: ah.get<string>(SETTINGS.terminalOnClose) === 'stop' ? 'stop' : 'keepRunning',
    reattach: ah.get<boolean>(SETTINGS.reattach) !== false,
    sessionsShown: ah.get<string>(SETTINGS.sessionsShown) === 'all' ? 'all' : 'workspace',
    compression: ah.get<number>(SETTINGS.compression) ?? 4,
    keepsFiles: ah.get<boolean>(SETTINGS.snapshots) !== false,
    snapshotMinutes: minutes(ah.get<number>(SETTINGS.snapshotMinutes)),
    retention: retention(
      positive(ah.get<number>(SETTINGS.snapshotMaxAge), 7),
      positive(ah.get<number>(SETTINGS.snapshotMaxSize), 10),
    ),
    notifies: {
      approval: ah.get<boolean>(SETTINGS.notifyApproval) !== false,
      finished: ah.get<boolean>(SETTINGS.notifyFinished) !== false,
      failing: ah.get<boolean>(SETTINGS.notifyFailing) !== false,
      looping: ah.get<boolean>(SETTINGS.notifyLooping) !== false,
      stuck: ah.get<boolean>(SETTINGS.notifyStuck) !== false,
    },
    capturesInput: ah.get<boolean>(SETTINGS.capturesInput) === true,
    redacts: ah.get<boolean>(SETTINGS.redacts) === true,
    integratesShell: ah.get<boolean>(SETTINGS.shellIntegration) !== false,
    followsAgents: ah.get<boolean>(SETTINGS.followsAgents) !== false,
    keepDays: ah.get<number>(SETTINGS.keepDays) ?? 0,
    usesLanguageModel: ah.get<boolean>(SETTINGS.languageModel) === true,
    carriedFiles: ah.get<string[]>(SETTINGS.carriedFiles) ?? [],
    carryMode: ah.get<string>(SETTINGS.carryMode) === 'link' ? 'link' : 'copy',
    scrollbackLines: scrollback(integrated.get<number>('scrollback')),
    unicodeVersion: configuredUnicodeVersion(integrated.get('unicodeVersion')),
  };
}

export function onDidChangeConfiguration(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) listener();
  });
}

/**
 * Rejects invalid limits, because users can type anything into settings.json and an invalid limit
 * must not delete snapshots.
 */
function positive(value: number | undefined, fallback: number): number {
  return typeof value === 'number' && value > 0 ? value : fallback;
}

function scrollback(value: number | undefined): number {
  if (typeof value !== 'number' || !(value >= 0)) return DEFAULT_SCROLLBACK_LINES;
  return Math.min(Math.floor(value), MAX_SCROLLBACK_LINES);
}

function minutes(value: number | undefined): number {
  const isWithin = typeof value === 'number' && value >= 0 && value <= MAX_SNAPSHOT_MINUTES;
  return isWithin ? value : 5;
}
