import { UserError } from '../../base/errors.ts';

const MAX_NAME_LENGTH = 80;
const MAX_FOLDER_BYTES = 60;

/** Returns the trimmed name. @throws UserError when the name is invalid */
export function checkBranchName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '')
    throw new UserError('bad-argument', 'The name of a branch must not be empty.');
  if (trimmed.length > MAX_NAME_LENGTH) {
    throw new UserError(
      'bad-argument',
      `The name of a branch has at most ${MAX_NAME_LENGTH} characters.`,
    );
  }
  if (/[\u0000-\u001f\u007f/\\]/.test(trimmed) || /^\.+$/.test(trimmed)) {
    throw new UserError(
      'bad-argument',
      `“${trimmed}” cannot be the name of a branch: it has slashes or control characters, or only dots.`,
    );
  }
  return trimmed;
}

/** A name made from the message, or from the label of the snapshot. */
export function suggestedName(message: string | undefined, label: string): string {
  const words = (message?.trim() || label)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const short = words.split('-').slice(0, 5).join('-').slice(0, 40).replace(/-+$/, '');
  return short || 'branch';
}

/** Returns the name, or `name-2`, `name-3` and so on if it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) {
    const numbered = `${name}-${number}`;
    if (!isTaken(numbered)) return numbered;
  }
}

/** Reduces the name to characters that are safe in git references: letters, digits, `-` and `_`. */
export function referenceName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, MAX_FOLDER_BYTES) || 'branch';
}
