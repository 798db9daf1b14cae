import { SystemClock } from '../platform/node/systemClock.ts';
import { hostLogFile } from '../sessions/node/hostLogFile.ts';
import type { LaunchSpec } from '../sessions/node/launchSpec.ts';
import { HostLog } from './hostLog.ts';
import { Redaction } from './redaction/redaction.ts';

/** What all parts of a session share. */
export interface SessionContext {
  readonly spec: LaunchSpec;
  readonly clock: SystemClock;
  readonly redaction: Redaction;
  readonly hostLog: HostLog;
  /** Folder that holds the bundles of the worker threads. */
  readonly workerFolder: string;
}

export function createContext(spec: LaunchSpec, workerFolder: string): SessionContext {
  const redaction = new Redaction(spec);
  return {
    spec,
    clock: new SystemClock(),
    redaction,
    hostLog: new HostLog(hostLogFile(spec.folder), (message) => redaction.text(message)),
    workerFolder,
  };
}
