import type { Clock } from '../../base/clock.ts';
import type { Exec, Files, ObjectCoding, Processes, Start } from '../common/ports.ts';

/** Everything that the git provider needs from outside. */
export interface GitPorts {
  readonly exec: Exec;
  readonly start: Start;
  readonly files: Files;
  readonly coding: ObjectCoding;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Permission bits that this process removes from files it creates. */
  readonly umask: number;
  /** Our folder for temporary files. */
  readonly scratch: string;
  /** The file with the user's global ignore rules if no setting names one. */
  readonly defaultExcludes?: string | undefined;
  /** Files with git settings for all repositories. */
  readonly defaultSettings?: readonly string[] | undefined;
}

export interface GitLimits {
  /** Larger files are omitted, with the reason `too-large`. */
  readonly maxFileBytes: number;
  /** How many omissions are listed; further ignored paths are only counted. */
  readonly maxOmissions: number;
}

export const DEFAULT_LIMITS: GitLimits = { maxFileBytes: 50 * 1024 * 1024, maxOmissions: 1000 };
