import type { UnicodeVersion } from '../../../src/base/unicodeVersion.ts';
import { writeSessionMeta, type SessionMeta } from '../../../src/sessions/node/sessionMeta.ts';

/** A program that draws a mark after two emoji, which it believes to be two columns wide in total. */
export const MARKED_EMOJI = '✅✅\x1b[3Gx';
/** What a terminal shows of this program's output, by Unicode version. */
export const MARKED_ROW: Readonly<Record<UnicodeVersion, string>> = { '6': '✅✅x', '11': '✅x' };

/** Writes the metadata of a finished session whose recording is `file`. */
export async function writeWidthSession(
  folder: string,
  recording: string,
  unicodeVersion: UnicodeVersion | undefined,
  cmd: readonly string[] = ['true'],
): Promise<void> {
  const meta: SessionMeta = {
    version: 1,
    id: 'widths',
    state: 'finished',
    startedAtNs: 1_760_000_000_000_000_000n,
    cmd,
    cwd: folder,
    cols: 80,
    rows: 24,
    brotliQ: 4,
    host: { os: 'linux', arch: 'x64', pid: 1 },
    recording,
    hostSocket: '/nowhere',
    ipcSocket: '/nowhere',
    ...(unicodeVersion && { unicodeVersion }),
  };
  await writeSessionMeta(folder, meta);
}
