import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { decodeProvenance, type Provenance } from '../../branching/common/provenance.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';

/**
 * `running`: the recorder is alive, or it was killed and this was not noticed yet (see `liveness`).
 * `finished`: recorded to the end. `interrupted`: the recorder was killed; the recording is good up
 * to that point.
 */
export type SessionState = 'running' | 'finished' | 'interrupted';

/** `session.meta.json`: describes a session, so that lists need not open its recording. */
export interface SessionMeta {
  readonly version: 1;
  readonly id: string;
  readonly state: SessionState;
  readonly startedAtNs: bigint;
  readonly endedAtNs?: bigint;
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** The folder that snapshots are taken of. */
  readonly workspace?: string;
  readonly cols: number;
  readonly rows: number;
  /**
   * Character widths of the terminal. Sessions of older versions have no value; their terminals use
   * 6.
   */
  readonly unicodeVersion?: UnicodeVersion;
  readonly brotliQ: number;
  /** `arch` is the name that `uname -m` prints, such as `x86_64` and `aarch64`. */
  readonly host: { readonly os: string; readonly arch: string; readonly pid: number };
  /** Absolute path of the `.ahr` file. */
  readonly recording: string;
  /**
   * The recording is the user's own file (`--out-file`); the session's folder is deleted when the
   * session ends.
   */
  readonly isExternal?: boolean;
  readonly hostSocket: string;
  /** `AH_IPC_SOCKET`: a path, or `tcp:host:port`. */
  readonly ipcSocket: string;
  readonly exitCode?: number;
  readonly signal?: number;
  /** A user stopped the session, so its exit code and signal do not count as a failure. */
  readonly stoppedByUser?: boolean;
  readonly totalBytes?: number;
  /** Secrets are replaced by stars in all files of the session. */
  readonly redacts?: boolean;
  /** The original session and moment, if the session is a branch. */
  readonly branchOf?: Provenance;
}

const FILE = 'session.meta.json';

export async function writeSessionMeta(folder: string, meta: SessionMeta): Promise<void> {
  await replaceFile(
    path.join(folder, FILE),
    `${stringifyExactJson(meta as unknown as ExactValue)}\n`,
  );
}

/** @throws UserError `no-session` or `bad-meta` */
export async function readSessionMeta(folder: string): Promise<SessionMeta> {
  const file = path.join(folder, FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError('no-session', `There is no session in ${folder}.`, { cause: error });
  }
  try {
    return asMeta(parseExactJson(text));
  } catch (error) {
    throw new UserError('bad-meta', `Can't read the session: ${file} is damaged.`, {
      cause: error,
    });
  }
}

function asMeta(value: ExactValue): SessionMeta {
  const meta = value as unknown as SessionMeta;
  const isMeta =
    typeof value === 'object' &&
    value !== null &&
    meta.version === 1 &&
    typeof meta.id === 'string' &&
    ['running', 'finished', 'interrupted'].includes(meta.state) &&
    typeof meta.startedAtNs === 'bigint' &&
    Array.isArray(meta.cmd) &&
    typeof meta.recording === 'string' &&
    typeof meta.hostSocket === 'string' &&
    typeof meta.cols === 'number' &&
    typeof meta.rows === 'number';
  if (!isMeta) throw new Error('a field is missing or of the wrong type');
  const { branchOf, host: recorded, ...rest } = meta;
  const provenance = decodeProvenance(branchOf as unknown as ExactValue);
  // A file that another program wrote may lack the host.
  const host = { ...recorded, arch: machineName(recorded?.arch ?? '') };
  return { ...rest, host, ...(provenance && { branchOf: provenance }) };
}

/** Translates Node's name of an architecture to the one in the format; old sessions have Node's. */
export function machineName(arch: string): string {
  return { x64: 'x86_64', arm64: 'aarch64' }[arch] ?? arch;
}
