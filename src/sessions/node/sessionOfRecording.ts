import path from 'node:path';
import { DEFAULT_UNICODE_VERSION, storedUnicodeVersion } from '../../base/unicodeVersion.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { readSessionMeta, type SessionMeta } from './sessionMeta.ts';

/** The session that a recording lies in; undefined for a file on its own. */
export async function sessionOfRecording(file: string): Promise<SessionMeta | undefined> {
  // It is no session's folder.
  const meta = await readSessionMeta(path.dirname(file)).catch(() => undefined);
  return meta?.recording === file ? meta : undefined;
}

/** A file on its own gets the widths of most terminals. */
export function unicodeVersionOf(
  session: Pick<SessionMeta, 'unicodeVersion'> | undefined,
): UnicodeVersion {
  return session ? storedUnicodeVersion(session.unicodeVersion) : DEFAULT_UNICODE_VERSION;
}
