import { plain, plainText } from '../../base/plainText.ts';

const MAX_LABEL_LENGTH = 200;
const MAX_COMMAND_LENGTH = 100;
/** A label names at most this many files, and the number of all. */
const MAX_NAMED_FILES = 3;

/** Makes a one-line label from a text. */
export function snapshotLabel(text: string): string {
  return plainText(text, MAX_LABEL_LENGTH).replace(/\s+/g, ' ');
}

/** @param command undefined if the shell did not send it */
export function commandLabel(command: string | undefined): string {
  const line = plainText(command ?? '', MAX_COMMAND_LENGTH);
  return line === '' ? 'After a command' : `After \`${line}\``;
}

/** @param paths at least one */
export function changedFilesLabel(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED_FILES).map(plain).join(', ');
  const count = paths.length === 1 ? '1 file' : `${paths.length} files`;
  return `${count} changed: ${named}${paths.length > MAX_NAMED_FILES ? ', …' : ''}`;
}
