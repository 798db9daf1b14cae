import path from 'node:path';
import { DEFAULT_UNICODE_VERSION, storedUnicodeVersion } from '../../base/unicodeVersion.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { readSessionMeta, type SessionMeta } from './sessionMeta.ts';

/** The session that a recording belongs to; undefined if the file is not in a session's folder. */
export async function sessionOfRecording(file: string): Promise<SessionMeta | undefined> {
  // Fails if the folder is not a session's.
  const meta = await readSessionMeta(path.dirname(file)).catch(() => undefined);
  return meta?.recording === file ? meta : undefined;
}

/** Without a session, the widths are those of most terminals. */
export function unicodeVersionOf(
  session: Pick<SessionMeta, 'unicodeVersion'> | undefined,
): UnicodeVersion {
  return session ? storedUnicodeVersion(session.unicodeVersion) : DEFAULT_UNICODE_VERSION;
}
