/**
 * Undoes what a full-screen program may have done to this terminal when it does not get the chance to: leaves the alternate
 * screen, shows the cursor, and ends mouse, focus, paste, keypad, cursor-key and keyboard modes, scroll regions, character
 * sets and colours.
 */
const RESTORE = [
  '\x1b[?1049l',
  '\x1b[r',
  '\x1b[?1000;1002;1003;1004;1006;2004l',
  '\x1b[?1l\x1b>',
  '\x1b[<u',
  '\x1b(B\x0f',
  '\x1b[?25h\x1b[0m',
].join('');

/** Puts this terminal back into its usual state, on a line of its own. */
export function restoreTerminal(): void {
  if (process.stdout.isTTY) process.stdout.write(`${RESTORE}\r\n`);
}
