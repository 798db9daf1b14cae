/** IDs that package.json and the code share; a unit test compares them. */
export const COMMANDS = {
  recordAgent: 'ah.recordAgent',
  attachSession: 'ah.attachSession',
  stopSession: 'ah.stopSession',
  openTimeline: 'ah.openTimeline',
  openTranscript: 'ah.openTranscript',
  showInTimeline: 'ah.showInTimeline',
  reconnectTimeline: 'ah.reconnectTimeline',
  branchInTimeline: 'ah.branchInTimeline',
  copyMomentLink: 'ah.copyMomentLink',
  copyScreenText: 'ah.copyScreenText',
  draftInstruction: 'ah.draftInstruction',
  branchFromDraft: 'ah.branchFromDraft',
  discardDraft: 'ah.discardDraft',
  searchSessions: 'ah.searchSessions',
  openRecording: 'ah.openRecording',
  renameSession: 'ah.renameSession',
  revealSession: 'ah.revealSession',
  exportSession: 'ah.exportSession',
  deleteSession: 'ah.deleteSession',
  pinSession: 'ah.pinSession',
  unpinSession: 'ah.unpinSession',
  archiveSession: 'ah.archiveSession',
  unarchiveSession: 'ah.unarchiveSession',
  markSessionRead: 'ah.markSessionRead',
  markSessionUnread: 'ah.markSessionUnread',
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
  showChangesSince: 'ah.showChangesSince',
  hideChangesSince: 'ah.hideChangesSince',
  pinSnapshot: 'ah.pinSnapshot',
  restoreSnapshot: 'ah.restoreSnapshot',
  undoRestore: 'ah.undoRestore',
  applyReview: 'ah.applyReview',
  cancelReview: 'ah.cancelReview',
  showReviewChanges: 'ah.showReviewChanges',
  showWaiting: 'ah.showWaiting',
  revealPrompt: 'ah.revealPrompt',
  openFact: 'ah.openFact',
  showStatistics: 'ah.showStatistics',
  pauseRecording: 'ah.pauseRecording',
  resumeRecording: 'ah.resumeRecording',
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

export const VIEWS = { review: 'ah.review', sessions: 'ah.sessions', feed: 'ah.feed' } as const;

export const TERMINAL_PROFILES = { recordedAgent: 'ah.recordedAgent' } as const;

export const EDITORS = {
  /** Shows the timeline; in a browser, the same page as `finalLines`. */
  recording: 'ah.recording',
  finalLines: 'ah.finalLines',
} as const;

export const COMMENT_CONTROLLERS = { instructions: 'ah.instructions' } as const;

/** Webview panels. */
export const PANELS = { timeline: 'ah.timeline', statistics: 'ah.statistics' } as const;

/** Names of settings without the prefix `ah.`. */
export const SETTINGS = {
  agentExecutables: 'agents.executables',
  unreviewedHooks: 'agents.allowUnreviewedHooks',
  terminalLocation: 'terminal.location',
  terminalOnClose: 'terminal.onClose',
  timelineBeside: 'timeline.openBesideTerminal',
  reattach: 'sessions.reattach',
  sessionsShown: 'sessions.shown',
  compression: 'recording.compression',
  snapshots: 'snapshots.enabled',
  snapshotMinutes: 'snapshots.everyMinutes',
  carriedFiles: 'branches.bringAlong',
  carryMode: 'branches.bringAlongBy',
  capturesInput: 'recording.input',
  redacts: 'recording.redact',
  shellIntegration: 'recording.shellIntegration',
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
  isFiltered: 'ah:isFiltered',
  /** Set once there is a session: before, the command palette hides the commands about sessions. */
  hasSessions: 'ah:hasSessions',
  hasRunningSessions: 'ah:hasRunningSessions',
  hasPausedSessions: 'ah:hasPausedSessions',
  hasSnapshots: 'ah:hasSnapshots',
  hasBranches: 'ah:hasBranches',
  /** Set once the user opened a timeline or a snapshot, for the walkthrough. */
  hasOpenedTimeline: 'ah:hasOpenedTimeline',
  hasOpenedSnapshot: 'ah:hasOpenedSnapshot',
  /** Set while Source Control lists the changes since a snapshot. */
  showsChanges: 'ah:showsChanges',
  /** Set while changes wait in the view “Review”. */
  isReviewing: 'ah:isReviewing',
  /** Set where no recorder can run: in a browser, and on Windows. */
  isReadOnly: 'ah:isReadOnly',
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];
