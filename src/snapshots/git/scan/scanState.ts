import { errorCode } from '../../../base/errors.ts';
import type { Omission } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { SeenModes } from '../modes/modeNotes.ts';
import type { GitPorts } from '../gitPorts.ts';

/** What the next snapshot builds on. If lost, a full scan is needed. */
export interface ScanState {
  /**
   * Number of the folder with our indexes: a new one after a crash, whose git may still be running.
   */
  readonly generation: number;
  /** How many garbage collections ran: cached objects from before may be gone. */
  readonly collected?: number;
  /** Paths whose changes our indexes may miss: read again by the next scan. */
  readonly unsure?: readonly string[];
  /** The permissions of everything seen; if undefined, all files are looked at. */
  readonly modes?: SeenModes | undefined;
  readonly last?: {
    readonly ref: string;
    /** Equal identities mean equal snapshots. */
    readonly identity: string;
    readonly files: string;
    readonly nested: readonly string[];
    readonly omissions: readonly Omission[];
    readonly recheck: readonly string[];
  };
}

const FILE = 'state.json';

export async function readScanState({ files }: GitPorts, storage: string): Promise<ScanState> {
  try {
    const text = new TextDecoder().decode(await files.read(joinPath(storage, FILE)));
    const state = JSON.parse(text) as ScanState;
    return Number.isSafeInteger(state.generation) ? state : { generation: 1 };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return { generation: 1 };
  }
}

export async function writeScanState(
  { files }: GitPorts,
  storage: string,
  state: ScanState,
): Promise<void> {
  await files.write(joinPath(storage, FILE), new TextEncoder().encode(JSON.stringify(state)));
}
