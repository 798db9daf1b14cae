/** What an agent's command line is made of, as far as a session that goes on needs it. */
export interface CommandLine {
  /** Options that a continued session is started with again, with what follows them. */
  readonly carried: Readonly<Record<string, 'flag' | 'value' | 'list'>>;
  /** Those of them that only a run without a person understands. */
  readonly headlessOnly: ReadonlySet<string>;
  /** Options and words that are said anew, or belong to the old session: left out without a word. */
  readonly replaced: Readonly<Record<string, 'flag' | 'value'>>;
  /** Whether it runs one prompt and ends. */
  isHeadless(args: readonly string[]): boolean;
  /** The session that it goes on with, where it names one. */
  sessionOf(args: readonly string[]): string | undefined;
  /** Whether the message can be an argument; a person has to type it otherwise. */
  takesMessage(parts: Pick<CommandLineParts, 'isHeadless' | 'session'>): boolean;
  /** What follows the program. */
  build(parts: CommandLineParts): readonly string[];
}

export interface CommandLineParts {
  /** Those of the old session. */
  readonly options: readonly string[];
  readonly isHeadless: boolean;
  /** The session that goes on; a new one without. */
  readonly session: string | undefined;
  /** Its last message, where the agent can be told. */
  readonly lastRecord: string | undefined;
  readonly message: string | undefined;
}

export interface CarriedOptions {
  readonly options: readonly string[];
  /** Options that this version does not know: it cannot tell what follows them. */
  readonly unknown: readonly string[];
}

/** Takes over what is known to mean the same in a session that goes on, and nothing else. */
export function carriedOptions(
  line: CommandLine,
  args: readonly string[],
  isHeadless: boolean,
): CarriedOptions {
  const options: string[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') continue;
    const name = word.startsWith('--') ? word.split('=', 1)[0]! : word;
    const hasValue = name !== word;
    const kind = line.carried[name];
    const replaced = line.replaced[name];
    const values = hasValue ? [] : valuesAfter(args, at, kind ?? replaced ?? 'flag');
    at += values.length;
    if (kind !== undefined) {
      if (isHeadless || !line.headlessOnly.has(name)) options.push(word, ...values);
    } else if (replaced === undefined) unknown.push(name);
  }
  return { options, unknown };
}

function valuesAfter(
  args: readonly string[],
  at: number,
  kind: 'flag' | 'value' | 'list',
): readonly string[] {
  if (kind === 'flag') return [];
  if (kind === 'value') return args.slice(at + 1, at + 2);
  const end = args.findIndex((word, index) => index > at && word.startsWith('-'));
  return args.slice(at + 1, end < 0 ? args.length : end);
}

/** What follows one of these words, or is joined to it by `=`. */
export function valueOf(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    if (word === '--') return undefined;
    if (names.includes(word)) return args[index + 1];
    const name = names.find((each) => each.startsWith('--') && word.startsWith(`${each}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  return undefined;
}
