/** Describes an agent's command line, as far as resuming a session needs it. */
export interface CommandLine {
  /** Options that a resumed session is started with again, each with the kind of its value. */
  readonly carried: Readonly<Record<string, 'flag' | 'value' | 'list'>>;
  /** Carried options that are valid only in headless runs. */
  readonly headlessOnly: ReadonlySet<string>;
  /** Options that {@link build} sets anew or that belong to the old session: dropped silently. */
  readonly replaced: Readonly<Record<string, 'flag' | 'value'>>;
  /** Whether the program runs one prompt and exits. */
  isHeadless(args: readonly string[]): boolean;
  /** The session ID that the arguments resume, if any. */
  sessionOf(args: readonly string[]): string | undefined;
  /** Whether an argument can carry the message. */
  takesMessage(parts: Pick<CommandLineParts, 'isHeadless' | 'session'>): boolean;
  /** Builds the arguments, without the program. */
  build(parts: CommandLineParts): readonly string[];
}

export interface CommandLineParts {
  /** Options carried over from the old session. */
  readonly options: readonly string[];
  readonly isHeadless: boolean;
  /** The session to resume; undefined starts a new one. */
  readonly session: string | undefined;
  /** The last record of the trimmed session, for agents with an option for it. */
  readonly lastRecord: string | undefined;
  readonly message: string | undefined;
}

export interface CarriedOptions {
  readonly options: readonly string[];
  /** Options that are unknown and therefore dropped: their values can't be recognized. */
  readonly unknown: readonly string[];
}

/**
 * Selects the options that keep their meaning in a resumed session.
 * @param dropped options to leave out, because the caller adds others in their place
 */
export function carriedOptions(
  line: CommandLine,
  args: readonly string[],
  isHeadless: boolean,
  dropped: ReadonlySet<string> = new Set(),
): CarriedOptions {
  const options: string[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') continue;
    const name = /^--[^=]*/.exec(word)?.[0] ?? word;
    const hasValue = name !== word;
    const kind = line.carried[name];
    const replaced = line.replaced[name];
    const values = hasValue ? [] : valuesAfter(args, at, kind ?? replaced ?? 'flag');
    at += values.length;
    if (kind !== undefined) {
      if (dropped.has(name)) continue;
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

/** The value of the first of these options, as the next argument or after `=`. */
export function valueOf(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    if (word === '--') return undefined;
    if (names.includes(word)) return args[index + 1];
    const name = names.find((each) => each.startsWith('--') && word.startsWith(`${each}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  return undefined;
}
