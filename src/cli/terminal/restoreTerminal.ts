/**
 * Leaves the alternate screen, resets modes of drawing, the scroll region, mouse, focus, paste, cursor-key, keypad
 * and keyboard modes, character sets and colors, and shows the cursor.
 */
const RESTORE = [
  '\x1b[?1049l',
  '\x1b[?2026;5;6;69l\x1b[4l\x1b[?7h\x1b[r',
  '\x1b[?1000;1002;1003;1004;1006;2004l',
  '\x1b[?1l\x1b>',
  '\x1b[<u',
  '\x1b(B\x0f',
  '\x1b[?25h\x1b[0m',
].join('');

/** Resets the terminal modes that a full-screen program may have changed and could not restore. */
export function restoreTerminal(): void {
  if (process.stdout.isTTY) process.stdout.write(`${RESTORE}\r\n`);
}
