import type { Clock } from '../../base/clock.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';

export interface DetectOptions {
  readonly workspace: string;
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  /** The user's data folder; need not exist. The preferred location for stores. */
  readonly privateFolder: string;
  /** Snapshots of this folder exist, so no trial snapshot is taken if possible. */
  readonly hasSnapshots?: boolean;
  /**
   * Only existing snapshots are needed: nothing is tried or created. The workspace contains no
   * symbolic link and may be gone.
   */
  readonly isExistingOnly?: boolean;
}
