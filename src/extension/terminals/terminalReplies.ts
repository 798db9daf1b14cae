/**
 * Replies of terminals: device attributes, cursor position, status and theme, size, modes, keyboard
 * flags, colors, settings, version. No key sends such a sequence, except F3 with a modifier, which looks like a
 * cursor position.
 */
const REPLIES = [
  '\\[[?>=]?[\\d;]*c',
  '\\[\\??\\d+;\\d+R',
  '\\[\\??[\\d;]*n',
  '\\[[468];\\d+;\\d+t',
  '\\[\\??[\\d;]+\\$y',
  '\\[\\?\\d+u',
  '\\](?:4;\\d+|1\\d);rgba?:[\\da-f/]+(?:\\u0007|\\u001b\\\\)',
  'P[01][$+]r[^\\u001b]*\\u001b\\\\',
  'P>\\|[^\\u001b]*\\u001b\\\\',
];
const ONLY_REPLIES = new RegExp(`^(?:\\u001b(?:${REPLIES.join('|')}))+$`, 'i');
/** Tells the program that its terminal got or lost the focus. */
const FOCUS_REPORT = /\u001b\[[IO]/g;

/**
 * Whether input consists only of terminal replies. If two terminals show a program, only one of
 * them may reply.
 */
export function isOnlyReplies(input: string): boolean {
  return ONLY_REPLIES.test(input);
}

/** Whether the user typed the input. Terminals send replies and focus reports on their own. */
export function isTyped(input: string): boolean {
  const rest = input.replace(FOCUS_REPORT, '');
  return rest !== '' && !isOnlyReplies(rest);
}
