import type { None } from '../../../rpc/channel.ts';

/** Requests to the thread that reads the metadata of many files. */
export interface StatThreadProtocol {
  readonly requests: {
    /** The reply's binary holds {@link STAT_FIELDS} 64-bit numbers per path. */
    readonly stat: { readonly params: readonly string[]; readonly result: StatFailures };
  };
  readonly events: None;
}

export type StatFailures = readonly (readonly [pathIndex: number, code: string])[];

/** Numbers in the reply for each file: mode, size, mtime, ctime, inode, device, links. */
export const STAT_FIELDS = 7;
