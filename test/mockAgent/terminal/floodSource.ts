import type { Random } from '../random.ts';
import { render } from './styles.ts';

export type FloodPattern = 'lines' | 'random' | 'sequence';

/** An endless stream of bytes, in pieces of any length. */
export function floodSource(pattern: FloodPattern, random: Random): (length: number) => Uint8Array {
  if (pattern === 'lines') return lineSource(random);
  let position = 0;
  const word = new Uint8Array(4);
  return (length) => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++, position++) {
      if (pattern === 'random' && position % 4 === 0) random.fill(word);
      bytes[at] = pattern === 'random' ? (word[position % 4] ?? 0) : position & 0xff;
    }
    return bytes;
  };
}

function lineSource(random: Random): (length: number) => Uint8Array {
  let pending = Buffer.alloc(0);
  return (length) => {
    const parts = [pending];
    for (let total = pending.length; total < length; total += parts.at(-1)?.length ?? 0) {
      parts.push(Buffer.from(agentLine(random)));
    }
    const bytes = Buffer.concat(parts);
    pending = bytes.subarray(length);
    return bytes.subarray(0, length);
  };
}

const words = [
  'session',
  'queue',
  'retry',
  'index',
  'cursor',
  'buffer',
  'snapshot',
  'parser',
  'token',
  'socket',
  'timeout',
  'worker',
  'schema',
  'record',
  'branch',
  'merge',
  'config',
  'loader',
] as [string, ...string[]];
const extensions = ['ts', 'js', 'json', 'md'] as [string, ...string[]];

/** A typical line of a coding agent: a tool call, a diff, a test result or a log line. */
function agentLine(random: Random): string {
  const word = (): string => random.pick(words);
  const file = (): string => `src/${word()}/${word()}.${random.pick(extensions)}`;
  const code = (): string => `${word()}.${word()}(${word()}, ${random.below(10_000)});`;
  const number = String(random.below(900) + 1).padStart(5);
  switch (random.below(6)) {
    case 0:
      return render(`\n{{green}}●{{/}} {{bold}}Update{{/}}(${file()})\n`);
    case 1:
      return render(`${number} {{on-c22}}+ const ${word()} = ${code()}{{/}}\n`);
    case 2:
      return render(`${number} {{on-c52}}-   return ${code()}{{/}}\n`);
    case 3:
      return render(
        `  {{green}}✓{{/}} ${word()} ${word()}s {{dim}}(${random.below(500)} ms){{/}}\n`,
      );
    case 4:
      return render(
        `\r{{c75}}✶ ${word()} ${word()}…{{/}} {{dim}}(${random.below(60)}s){{/}}\x1b[K`,
      );
    default:
      return `${number}   ${code()} // ${word()} ${word()}\n`;
  }
}
