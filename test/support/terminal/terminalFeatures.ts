/** Terminal features that are easily lost, each as endless output; `turn` counts from 0. */
export const TERMINAL_FEATURES: Readonly<Record<string, (turn: number) => string>> = {
  'alternate screens': (turn) =>
    turn % 4 === 0
      ? `\x1b[?1049h\x1b[2J\x1b[${1 + (turn % 10)};3Hfull screen ${turn}`
      : turn % 4 === 2
        ? `\x1b[?1049lmain ${turn}\r\n`
        : `more ${turn}\r\n`,
  'wide characters': (turn) => `漢字かな ${turn} ${'混ざる'.repeat(turn % 5)}\x1b[3D한글\r\n`,
  emoji: (turn) =>
    `${'🙂'.repeat(turn % 7)} 👩‍💻 🇩🇪 ❤️ e\u0301 ${turn}${turn % 3 === 0 ? '\r\n' : ' '}`,
  'true colour': (turn) =>
    `\x1b[38;2;${turn * 4};${255 - turn * 4};99m\x1b[48;5;${turn + 100}m rgb ${turn} \x1b[1;3;4:3;58:2::9:8:${turn}mall\x1b[0m${turn % 2 === 0 ? '\r\n' : ''}`,
  'scroll regions': (turn) =>
    `\x1b[${2 + (turn % 3)};${8 + (turn % 4)}r\x1b[${4 + (turn % 5)};1Hregion ${turn}\n\n\x1b[2L\x1b[MX\x1bM${turn % 9 === 8 ? '\x1b[r' : ''}`,
  hyperlinks: (turn) =>
    `\x1b]8;id=${turn % 4};https://example.com/${turn}\x1b\\link ${turn}\x1b]8;;\x1b\\ and \x1b]8;;file:///tmp/${turn}\x07file\x1b]8;;\x07\r\n`,
  'synchronized output': (turn) =>
    `\x1b[?2026h\x1b[H\x1b[2Jframe ${turn}\r\n${'row '.repeat(turn % 9)}\r\n${turn % 2 === 0 ? '\x1b[?2026l' : ''}`,
  'cursors and modes that outlive a reset': (turn) =>
    `${['\x1b[?25l', '\x1b[?25h', '\x1b[20h', '\x1b[20l', '\x1b[5 q', '\x1b[0 q'][turn % 6]}line ${turn}\n`,
  'tabs, margins, charsets and inserting': (turn) =>
    `\x1b[${1 + (turn % 30)}G\x1bH\t|\x1b(0lqk\x1b(B\x1b[4hins\x1b[4l\x1b7\x1b[5;5H@\x1b8${turn % 4 === 0 ? '\r\n' : ''}`,
};
