import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { withoutText } from './textForms.ts';

/**
 * The members of a JSON file that a scrub keeps: words of the format, IDs and paths, without which
 * the whole session would be lost. A member in `kept` is kept with everything in it. A member in
 * `within` is an object of which some members are kept.
 */
export interface KeptMembers {
  readonly kept: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

const members = (kept: string, within = ''): KeptMembers => ({
  kept: new Set(kept.split(' ')),
  within: new Set(within.split(' ')),
});

const SESSION = members(
  'version id state host recording hostSocket ipcSocket cwd workspace branchOf.fromSessionId branchOf.method',
  'branchOf',
);
const BRANCH = members(
  'version id state owner kind provider destination workspace fromSessionId fromWorkspace method ' +
    'from.sessionId from.workspace from.knownAs from.snapshotRef ' +
    'made.agent made.session made.program made.files made.folders ' +
    'launch.cwd launch.agent launch.method launch.env.AH_BRANCH_FROM_WORKSPACE',
  'from made launch launch.env',
);

/** The extension's JSON files, by their names. */
export const JSON_FILES: readonly (readonly [name: RegExp, members: KeptMembers])[] = [
  [/^session\.meta\.json$/, SESSION],
  [/^session\.notes\.json$/, members('agent workspace shownIn pinnedSnapshots')],
  [/^session\.(?:snapshots|restores)\.jsonl$/, members('kind trigger provider ref workspace')],
  [
    /^session\.events\.jsonl$/,
    members(
      'id source confidence agent agentSession kind status action outcome callId method fromSession toSession transcript',
    ),
  ],
  [/^index\.jsonl$/, members('file source')],
  [/^(?:branch|\d{8}-\d{6}-[0-9a-f]{6})\.json$/, BRANCH],
];

/** Scrubs each line as JSON, or else as plain text; undefined when nothing changes. */
export function withoutTextInJson(
  bytes: Buffer,
  forms: readonly Buffer[],
  kept: KeptMembers,
): Buffer | undefined {
  if (!forms.some((form) => bytes.includes(form))) return undefined;
  const before = bytes.toString('utf8');
  const after = before
    .split('\n')
    .map((line) => scrubbedLine(line, forms, kept))
    .join('\n');
  return after === before ? undefined : Buffer.from(after);
}

function scrubbedLine(line: string, forms: readonly Buffer[], kept: KeptMembers): string {
  let value: ExactValue;
  try {
    value = parseExactJson(line);
  } catch {
    // Not JSON.
    return scrubbedText(line, forms);
  }
  const safe = scrubbedValue(value, forms, kept, '');
  return safe === value ? line : stringifyExactJson(safe);
}

function scrubbedValue(
  value: ExactValue,
  forms: readonly Buffer[],
  kept: KeptMembers | undefined,
  path: string,
  isInside = false,
): ExactValue {
  if (typeof value === 'string') return scrubbedText(value, forms);
  // Numbers in objects of the format itself are times, offsets and counts.
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isInside ? scrubbedNumber(value, forms) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly ExactValue[] = value;
    const safe = items.map((item) => scrubbedValue(item, forms, undefined, path, true));
    return safe.every((item, at) => item === items[at]) ? items : safe;
  }
  let hasChanged = false;
  const safe = Object.entries(value).map(([name, member]): [string, ExactValue] => {
    const place = path === '' ? name : `${path}.${name}`;
    if (kept?.kept.has(place)) return [name, member];
    const below = kept?.within.has(place) ? kept : undefined;
    const safeMember = scrubbedValue(member, forms, below, place, !kept);
    // The names of these members belong to the format.
    const safeName = kept ? name : scrubbedText(name, forms);
    hasChanged ||= safeMember !== member || safeName !== name;
    return [safeName, safeMember];
  });
  return hasChanged ? Object.fromEntries(safe) : value;
}

function scrubbedText(text: string, forms: readonly Buffer[]): string {
  return withoutText(Buffer.from(text), forms)?.toString('utf8') ?? text;
}

function scrubbedNumber(value: number | bigint, forms: readonly Buffer[]): ExactValue {
  const text = String(value);
  const safe = scrubbedText(text, forms);
  return safe === text ? value : safe;
}
