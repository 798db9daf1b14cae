/** Every id that package.json and the code share. A test holds the two together. */
export const COMMANDS = {
  recordAgent: 'ah.recordAgent',
  attachSession: 'ah.attachSession',
  stopSession: 'ah.stopSession',
  openTimeline: 'ah.openTimeline',
  openTranscript: 'ah.openTranscript',
  showInTimeline: 'ah.showInTimeline',
  draftInstruction: 'ah.draftInstruction',
  branchFromDraft: 'ah.branchFromDraft',
  discardDraft: 'ah.discardDraft',
  searchSessions: 'ah.searchSessions',
  openRecording: 'ah.openRecording',
  renameSession: 'ah.renameSession',
  revealSession: 'ah.revealSession',
  exportSession: 'ah.exportSession',
  deleteSession: 'ah.deleteSession',
  filterSessions: 'ah.filterSessions',
  clearFilter: 'ah.clearFilter',
  refreshSessions: 'ah.refreshSessions',
  showLog: 'ah.showLog',
  reportProblem: 'ah.reportProblem',
  takeSnapshot: 'ah.takeSnapshot',
  openSnapshot: 'ah.openSnapshot',
  openFileOfSnapshot: 'ah.openFileOfSnapshot',
  compareSnapshot: 'ah.compareSnapshot',
  showChangesOfSnapshot: 'ah.showChangesOfSnapshot',
  compareSnapshots: 'ah.compareSnapshots',
  pinSnapshot: 'ah.pinSnapshot',
  restoreSnapshot: 'ah.restoreSnapshot',
  undoRestore: 'ah.undoRestore',
  showWaiting: 'ah.showWaiting',
  revealPrompt: 'ah.revealPrompt',
  openFact: 'ah.openFact',
  showStatistics: 'ah.showStatistics',
  pauseCapture: 'ah.pauseCapture',
  resumeCapture: 'ah.resumeCapture',
  scrubText: 'ah.scrubText',
  branchHere: 'ah.branchHere',
  goToParentMoment: 'ah.goToParentMoment',
  showBranches: 'ah.showBranches',
  openBranch: 'ah.openBranch',
  takeBackBranch: 'ah.takeBackBranch',
  discardBranch: 'ah.discardBranch',
} as const;

export const VIEWS = { sessions: 'ah.sessions', feed: 'ah.feed' } as const;

export const TERMINAL_PROFILES = { recordedAgent: 'ah.recordedAgent' } as const;

export const EDITORS = {
  /** The timeline; where there is no machine to read it on, the same as the other. */
  recording: 'ah.recording',
  finalLines: 'ah.finalLines',
} as const;

export const COMMENT_CONTROLLERS = { instructions: 'ah.instructions' } as const;

/** Tabs that are no files. */
export const PANELS = { timeline: 'ah.timeline', statistics: 'ah.statistics' } as const;

/** Written without their common `ah.`, as they are read. */
export const SETTINGS = {
  agentExecutables: 'agents.executables',
  unreviewedHooks: 'agents.allowUnreviewedHooks',
  terminalLocation: 'terminal.location',
  terminalOnClose: 'terminal.onClose',
  reattach: 'sessions.reattach',
  sessionsShown: 'sessions.shown',
  compression: 'recording.compression',
  snapshots: 'snapshots.enabled',
  snapshotMinutes: 'snapshots.everyMinutes',
  carriedFiles: 'branches.bringAlong',
  carryMode: 'branches.bringAlongBy',
  capturesInput: 'recording.input',
  redacts: 'recording.redact',
  followsAgents: 'agents.follow',
  keepDays: 'sessions.keepDays',
  snapshotMaxAge: 'snapshots.maxAgeDays',
  snapshotMaxSize: 'snapshots.maxGigabytes',
  languageModel: 'summaries.languageModel',
  notifyApproval: 'notify.approval',
  notifyFinished: 'notify.finished',
  notifyFailing: 'notify.failing',
  notifyLooping: 'notify.looping',
  notifyStuck: 'notify.stuck',
} as const;

export const CONTEXT_KEYS = {
  /** The sessions view is narrowed by a word. */
  isFiltered: 'ah:isFiltered',
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];
