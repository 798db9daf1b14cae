import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { decodeProvenance, type Provenance } from '../../branching/common/provenance.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';

/**
 * `running`: its host lives (or died without a word, see recovery). `finished`: recorded to the end.
 * `interrupted`: the host was killed; the recording is good up to there.
 */
export type SessionState = 'running' | 'finished' | 'interrupted';

/** `session.meta.json`: what is known of a session without opening its recording. */
export interface SessionMeta {
  readonly version: 1;
  readonly id: string;
  readonly state: SessionState;
  readonly startedAtNs: bigint;
  readonly endedAtNs?: bigint;
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** The folder whose files are kept at moments. */
  readonly workspace?: string;
  readonly cols: number;
  readonly rows: number;
  readonly brotliQ: number;
  readonly host: { readonly os: string; readonly arch: string; readonly pid: number };
  /** Absolute path of the `.ahr` file. */
  readonly recording: string;
  /** The recording is the user's own file (`--out-file`); the rest of the session is not kept. */
  readonly isExternal?: boolean;
  readonly hostSocket: string;
  /** `AH_IPC_SOCKET`: a path, or `tcp:host:port`. */
  readonly ipcSocket: string;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly totalBytes?: number;
  /** Stars stand in the place of secrets in all of it. */
  readonly redacts?: boolean;
  /** The session that this one was branched off, and where. */
  readonly branchOf?: Provenance;
}

const FILE = 'session.meta.json';

export async function writeSessionMeta(folder: string, meta: SessionMeta): Promise<void> {
  await replaceFile(
    path.join(folder, FILE),
    `${stringifyExactJson(meta as unknown as ExactValue)}\n`,
  );
}

/** Throws a {@link UserError} when there is none, or it cannot be understood. */
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
    throw new UserError('bad-meta', `${file} is damaged.`, { cause: error });
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
  const { branchOf, ...rest } = meta;
  const provenance = decodeProvenance(branchOf as unknown as ExactValue);
  return provenance ? { ...rest, branchOf: provenance } : rest;
}
