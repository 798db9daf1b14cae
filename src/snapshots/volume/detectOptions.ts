import type { Clock } from '../../base/clock.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';

export interface DetectOptions {
  readonly workspace: string;
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  /** The user's data folder, which need not exist: the preferred location for stores. */
  readonly privateFolder: string;
  /** Snapshots of this folder exist, so no trial snapshot is taken if possible. */
  readonly hasSnapshots?: boolean;
  /**
   * Only existing snapshots are needed: no trial snapshot is taken and nothing is created. The path
   * of the workspace contains no symbolic link, and the workspace may be gone.
   */
  readonly isExistingOnly?: boolean;
}
