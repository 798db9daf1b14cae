import { UserError } from '../../base/errors.ts';

/** A program's argument, or a variable of its environment, may have 128 KiB on Linux, and what is told again comes before it. */
const MAX_BYTES = 64 * 1024;

/** The message as the agent is told it; nothing when there is none. @throws UserError for one that no program can be told */
export function checkMessage(message: string | undefined): string | undefined {
  const text = message?.trim();
  if (!text) return undefined;
  if (new TextEncoder().encode(text).length > MAX_BYTES) {
    throw new UserError('message-too-long', 'The message is longer than 64 KiB; put it in a file.');
  }
  if (text.includes('\0')) {
    throw new UserError('bad-argument', 'The message has a character that cannot be passed on.');
  }
  return text;
}
