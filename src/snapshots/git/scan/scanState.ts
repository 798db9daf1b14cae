import type { Omission } from '../../common/provider.ts';
import { errorCode } from '../../volume/errorCode.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { SeenModes } from '../modes/modeNotes.ts';
import type { GitPorts } from '../gitPorts.ts';

/** What the next snapshot builds on. A lost one costs a scan. */
export interface ScanState {
  /** Of the folder with our indexes: a new one after a crash, since a git of the one who crashed may still be running. */
  readonly generation: number;
  /** How often what nobody needed was removed: whoever remembers objects from before has to forget them. */
  readonly collected?: number;
  /** Of which our indexes cannot tell for certain whether they change: read again by the next scan. */
  readonly unsure?: readonly string[];
  /** The permissions of all that was looked at; everything is, when they are not known. */
  readonly modes?: SeenModes | undefined;
  readonly last?: {
    readonly ref: string;
    /** The same identity is the same state. */
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
