import type { Clock } from '../../base/clock.ts';
import type { Exec, Files, ObjectCoding, Processes, Start } from '../common/ports.ts';

/** All that the git provider needs of the outside. */
export interface GitPorts {
  readonly exec: Exec;
  readonly start: Start;
  readonly files: Files;
  readonly coding: ObjectCoding;
  readonly processes: Processes;
  readonly clock: Clock;
  /** The permissions that this process does not give to what it makes. */
  readonly umask: number;
  /** A folder of ours for what is gone the next moment. */
  readonly scratch: string;
  /** Where git finds the user's rules for all repositories when no setting says where. */
  readonly usualExcludes?: string | undefined;
  /** Where git finds settings for all repositories. */
  readonly usualSettings?: readonly string[] | undefined;
}

export interface GitLimits {
  /** A larger file is left out, and named. */
  readonly maxFileBytes: number;
  /** So many omissions are named one by one; the rest is counted. */
  readonly maxOmissions: number;
}

export const DEFAULT_LIMITS: GitLimits = { maxFileBytes: 50 * 1024 * 1024, maxOmissions: 1000 };
