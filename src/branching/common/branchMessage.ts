import { UserError } from '../../base/errors.ts';

/**
 * Half of Linux's limit of 128 KiB per argument: a replayed conversation may precede the message.
 */
const MAX_BYTES = 64 * 1024;

/**
 * The trimmed message; undefined if empty. @throws UserError when it can't be passed to a program
 */
export function checkMessage(message: string | undefined): string | undefined {
  const text = message?.trim();
  if (!text) return undefined;
  if (new TextEncoder().encode(text).length > MAX_BYTES) {
    const text = 'The message is longer than 64 KiB. Put it into a file and name the file instead.';
    throw new UserError('message-too-long', text);
  }
  if (text.includes('\0')) {
    const text = 'The message contains a null character, which no program accepts. Remove it.';
    throw new UserError('bad-argument', text);
  }
  return text;
}
