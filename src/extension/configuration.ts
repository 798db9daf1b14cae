import * as vscode from 'vscode';
import type { NoticeKind } from '../agents/common/notice.ts';
import type { CarryMode } from '../branching/node/carry/carryFiles.ts';
import { MAX_SNAPSHOT_MINUTES } from '../sessions/node/launchSpec.ts';
import { retention, type RetentionPolicy } from '../snapshots/common/retention.ts';
import { SETTINGS } from './contributions.ts';

const SECTION = 'ah';

export interface Configuration {
  /** Absolute paths of agents that are not on PATH, by the agent's id. */
  readonly agentExecutables: Readonly<Record<string, string>>;
  /** Whether an agent may run hooks that nobody reviewed, so that it tells us at once. */
  readonly allowsUnreviewedHooks: boolean;
  readonly terminalLocation: 'panel' | 'editor';
  readonly terminalOnClose: 'keepRunning' | 'stop';
  readonly reattach: boolean;
  readonly sessionsShown: 'workspace' | 'all';
  /** Brotli quality, 0 to 11. */
  readonly compression: number;
  /** Whether the files are kept at moments. */
  readonly keepsFiles: boolean;
  /** How often they are kept whatever happens; 0: not by time. */
  readonly snapshotMinutes: number;
  /** How long they are kept, and how much of them. */
  readonly retention: RetentionPolicy;
  /** What the person wants to be told, by kind. */
  readonly notifies: Readonly<Record<NoticeKind, boolean>>;
  /** Whether what is typed is recorded, as far as the terminal shows it. */
  readonly capturesInput: boolean;
  /** Whether secrets are left out of what is recorded. */
  readonly redacts: boolean;
  /** Whether what known agents do is followed. */
  readonly followsAgents: boolean;
  /** Sessions that ended longer ago are removed; 0 keeps all. */
  readonly keepDays: number;
  /** Whether sessions are summed up by the user's own language model. */
  readonly usesLanguageModel: boolean;
  /** Names of ignored files that come along to a branch. */
  readonly carriedFiles: readonly string[];
  readonly carryMode: CarryMode;
  /** How far back a terminal of this editor scrolls. */
  readonly scrollbackLines: number;
}

/** The settings as they are now; package.json holds their defaults. */
export function configuration(): Configuration {
  const ah = vscode.workspace.getConfiguration(SECTION);
  const integrated = vscode.workspace.getConfiguration('terminal.integrated');
  return {
    agentExecutables: ah.get<Record<string, string>>(SETTINGS.agentExecutables) ?? {},
    allowsUnreviewedHooks: ah.get<boolean>(SETTINGS.unreviewedHooks) === true,
    terminalLocation: ah.get<string>(SETTINGS.terminalLocation) === 'editor' ? 'editor' : 'panel',
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
    followsAgents: ah.get<boolean>(SETTINGS.followsAgents) !== false,
    keepDays: ah.get<number>(SETTINGS.keepDays) ?? 0,
    usesLanguageModel: ah.get<boolean>(SETTINGS.languageModel) === true,
    carriedFiles: ah.get<string[]>(SETTINGS.carriedFiles) ?? [],
    carryMode: ah.get<string>(SETTINGS.carryMode) === 'link' ? 'link' : 'copy',
    scrollbackLines: integrated.get<number>('scrollback') ?? 1000,
  };
}

export function onDidChangeConfiguration(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) listener();
  });
}

/** Settings are text that anybody may have typed: nothing is removed because of a slip. */
function positive(value: number | undefined, fallback: number): number {
  return typeof value === 'number' && value > 0 ? value : fallback;
}

function minutes(value: number | undefined): number {
  const isWithin = typeof value === 'number' && value >= 0 && value <= MAX_SNAPSHOT_MINUTES;
  return isWithin ? value : 5;
}
