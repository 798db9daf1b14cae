import { errorCode } from '../../../base/errors.ts';
import type { Omission } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { SeenModes } from '../modes/modeNotes.ts';
import type { GitPorts } from '../gitPorts.ts';

/** The state that the next snapshot builds on. If it is lost, a full scan is needed. */
export interface ScanState {
  /**
   * Number of the folder with our indexes. After a crash a new folder is used, because a git of the
   * crashed process may still write to the old one.
   */
  readonly generation: number;
  /** How many garbage collections have run. If it has changed, cached objects may be gone. */
  readonly collected?: number;
  /** Paths whose changes our indexes may miss: the next scan reads them again. */
  readonly unsure?: readonly string[];
  /** The known permissions; if undefined, the next scan looks at all files. */
  readonly modes?: SeenModes | undefined;
  readonly last?: {
    readonly ref: string;
    /** Equal identities mean equal snapshots. */
    readonly identity: string;
    readonly files: string;
    readonly nested: readonly string[];
    /** May be cut. Recorders of older builds that run in the same folder read it. */
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
