import type { AhrRecord } from '../../../src/recording/format/records.ts';
import type { TerminalSize } from '../../../src/base/terminalSize.ts';
import type { Random } from '../random.ts';

const CSI = '\x1b[';
const encoder = new TextEncoder();

const TEXTS = [
  'a',
  'hello world',
  '   ',
  'x'.repeat(30),
  '漢字',
  '漢',
  '日本語テキスト',
  'e\u0301',
  'a\u0300\u0301b',
  '\u0301',
  '\u200b',
  '👩\u200d👩\u200d👧',
  '🙂',
  '✓',
  '─│┌',
  '１２',
  '𠀀',
  'q'.repeat(9),
  '\u00a0',
  '~`{}|',
] as const;
const CONTROLS = [
  '\r',
  '\n',
  '\r\n',
  '\r\n',
  '\n\n',
  '\b',
  '\t',
  '\x0e',
  '\x0f',
  '\x07',
  '\x0b',
  '\u0085',
  '\u0084',
] as const;
const SGR = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '4:0',
  '4:2',
  '4:3',
  '4:5',
  '5',
  '7',
  '8',
  '9',
  '21',
  '22',
  '23',
  '24',
  '25',
  '27',
  '28',
  '29',
  '31',
  '39',
  '42',
  '49',
  '53',
  '55',
  '58:5:3',
  '58:2::9:8:7',
  '58;5;200',
  '59',
  '93',
  '101',
  '38;5;7',
  '38;5;9',
  '48;5;0',
  '48;5;250',
  '38;2;1;2;3',
  '48;2;255;255;255',
  '38;2;0;0;0',
  '1;31;48;5;8',
  '0;4:3;58:5:11',
  '',
] as const;
const PRIVATE_MODES = [
  1, 6, 7, 12, 25, 45, 66, 9, 1000, 1002, 1003, 1004, 1006, 1016, 2004, 2026, 47, 1047, 1048, 1049,
] as const;
const LINKS = [
  '8;;https://a.example',
  '8;id=7;https://b.example/x;y',
  '8;id=7;https://c.example',
  '8;;',
  '8;;',
  '8;;https://a.example',
] as const;
const CHARSETS = '0AB4CRQKYEZH=';

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

export function chance(random: Random, percent: number): boolean {
  return random.below(100) < percent;
}

/** A random escape sequence, control character or text, mostly difficult ones. */
function token(random: Random, { cols, rows }: TerminalSize): string {
  const small = (): number => random.below(5);
  const row = (): number => random.below(rows + 2);
  const column = (): number => random.below(cols + 3);
  switch (random.below(30)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return pick(random, TEXTS);
    case 6:
    case 7:
    case 8:
      return pick(random, CONTROLS);
    case 9:
    case 10:
    case 11:
    case 12:
      return `${CSI}${pick(random, SGR)}m`;
    case 13:
    case 14:
      return `${CSI}${row()};${column()}H`;
    case 15:
      return `${CSI}${small()}${pick(random, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'd', 'a', 'e', '`'])}`;
    case 16:
    case 17:
      return `${CSI}${pick(random, ['', '?'])}${random.below(3)}${pick(random, ['J', 'K', 'K'])}`;
    case 18:
      return `${CSI}${small()}${pick(random, ['X', '@', 'P', 'L', 'M', 'S', 'T', 'b', 'I', 'Z', ' @', ' A', "'}", "'~"])}`;
    case 19:
      return `${CSI}${row()};${row()}r`;
    case 20:
    case 21:
      return `${CSI}?${pick(random, PRIVATE_MODES)}${pick(random, ['h', 'l'])}`;
    case 22:
      return pick(random, [
        `${CSI}4h`,
        `${CSI}4l`,
        `${CSI}20h`,
        `${CSI}20l`,
        '\x1b=',
        '\x1b>',
        `${CSI}1"q`,
        `${CSI}0"q`,
      ]);
    case 23:
      return pick(random, ['\x1b7', '\x1b8', `${CSI}s`, `${CSI}u`]);
    case 24:
      return pick(random, ['\x1bM', '\x1bD', '\x1bE', '\x1bH', `${CSI}g`, `${CSI}3g`]);
    case 25:
      return `\x1b${pick(random, ['(', ')', '*', '+', '-', '.'])}${pick(random, [...CHARSETS])}`;
    case 26:
      return pick(random, [
        `${CSI}>${small()}u`,
        `${CSI}<u`,
        `${CSI}=${small()};${small()}u`,
        `${CSI}>4;${small()}m`,
        '\x1b]4;1;#123456;200;rgb:1/2/3\x07',
        '\x1b]104;1\x07',
        '\x1b]11;#fff\x07',
        '\x1bn',
        '\x1bo',
        '\x0e',
        '\x0f',
        '\x1b%@',
      ]);
    case 27:
      return `\x1b]${pick(random, LINKS)}\x1b\\`;
    case 28:
      return pick(random, [
        `\x1b]0;title ${small()}\x07`,
        '\x1b]2;🙂\x1b\\',
        '\x1b]1;icon\x07',
        `${CSI}${random.below(9)} q`,
      ]);
    default:
      return pick(random, [
        '\x1b#8',
        '\x1bc',
        `${CSI}!p`,
        `${CSI}3J`,
        '\x1b7',
        '\x1b8',
        `${CSI}6n`,
        '\x1b]11;?\x07',
        '漢'.repeat(cols),
        `${CSI}${cols};${cols}H漢`,
      ]);
  }
}

export interface NoiseOptions {
  readonly size: TerminalSize;
  readonly records: number;
  /** In percent of the records. */
  readonly resizes: number;
}

/** A random recording: every feature of the terminal in random order, split into records anywhere. */
export function terminalNoise(random: Random, options: NoiseOptions): AhrRecord[] {
  const records: AhrRecord[] = [];
  let size = options.size;
  let offset = 0;
  let left = new Uint8Array(0);
  for (let index = 0; index < options.records; index++) {
    const tsNs = BigInt(index) * 1_000_000n;
    if (chance(random, options.resizes)) {
      size = { cols: 2 + random.below(30), rows: 1 + random.below(12) };
      records.push({ kind: 'resize', tsNs, ...size });
      continue;
    }
    let text = '';
    for (let count = 1 + random.below(12); count > 0; count--) text += token(random, size);
    const whole = new Uint8Array([...left, ...encoder.encode(text)]);
    const end = chance(random, 30) ? random.below(whole.length + 1) : whole.length;
    left = whole.slice(end);
    const bytes = whole.slice(0, end);
    records.push({ kind: 'data', tsNs, startByteOffset: offset, bytes });
    offset += bytes.length;
  }
  return records;
}
