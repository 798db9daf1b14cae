import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/emitter.ts';
import type { ProgramExit, SessionStatus } from '../../sessions/common/recorderProtocol.ts';
import type { ModelFeed } from '../model/modelFeed.ts';
import type { Recorder } from '../recorder.ts';
import type { SessionLog } from '../sessionLog.ts';
import type { SessionSnapshots } from '../snapshots/sessionSnapshots.ts';
import type { QueryArbiter } from './queryArbiter.ts';

/** The session as its clients use it. */
export interface SharedSession {
  readonly id: string;
  readonly clock: Clock;
  readonly log: SessionLog;
  readonly model: ModelFeed;
  readonly recorder: Recorder;
  readonly queryArbiter: QueryArbiter;
  readonly snapshots: SessionSnapshots;
  /** Set once the recording is complete on disk. */
  readonly completed: ProgramExit | undefined;
  readonly onDidComplete: Event<void>;
  status(): SessionStatus;
  /** Pauses or resumes capture of agent activity and input. */
  setCapture(isOn: boolean): Promise<void>;
  /** Pauses or resumes the recording; returns when the change is in effect. */
  setPaused(isPaused: boolean): Promise<void>;
  reportBug(error: unknown): void;
}
