/**
 * What a terminal says by itself: device attributes, cursor position, status, modes, keyboard flags, colours, settings,
 * version. Never a key, with one exception that terminals share: F3 with a modifier looks like a cursor position.
 */
const REPLIES = [
  '\\[[?>=]?[\\d;]*c',
  '\\[\\??\\d+;\\d+R',
  '\\[\\??\\d*n',
  '\\[\\??[\\d;]+\\$y',
  '\\[\\?\\d+u',
  '\\](?:4;\\d+|1\\d);rgba?:[\\da-f/]+(?:\\u0007|\\u001b\\\\)',
  'P[01][$+]r[^\\u001b]*\\u001b\\\\',
  'P>\\|[^\\u001b]*\\u001b\\\\',
];
const ONLY_REPLIES = new RegExp(`^(?:\\u001b(?:${REPLIES.join('|')}))+$`, 'i');

/** Whether nobody typed this: a second terminal that shows the same program must not answer its questions again. */
export function isOnlyReplies(input: string): boolean {
  return ONLY_REPLIES.test(input);
}
