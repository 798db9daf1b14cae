import type { Clock } from '../../base/clock.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';

export interface DetectOptions {
  readonly workspace: string;
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  /** A folder of this user's for data; need not exist. The first choice for snapshots that have to be in some folder. */
  readonly privateFolder: string;
  /** There are snapshots of this folder: more can be made, as far as that can be known without trying. */
  readonly isProven?: boolean;
  /** Only what is there is asked for: nothing is tried or made. The workspace, with no symbolic link in it, may be gone. */
  readonly isOnlyKept?: boolean;
}
