import { privateKeyRanges } from './privateKeys.ts';
import { CUT, isHarmless, NAMED, PATTERNS } from './secretPatterns.ts';
import { begunAtEnd } from './secretRanges.ts';

/** The text that replaces a secret. */
export const REDACTED = '[redacted]';

const ELLIPSIS = '…';

/** Longer texts are cut, because matching takes time; no caller needs more. */
const MAX_CHARACTERS = 512 * 1024;

/**
 * Removes secrets from a text before it is shown, indexed or exported.
 *
 * @param known literal secrets, for example values of environment variables
 */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let safe = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  for (const secret of known) safe = withoutKnown(safe, secret);
  safe = withoutPrivateKeys(safe);
  for (const pattern of PATTERNS) safe = safe.replace(pattern, REDACTED);
  if (safe.includes(ELLIPSIS)) for (const pattern of CUT) safe = safe.replace(pattern, REDACTED);
  for (const pattern of NAMED) {
    safe = safe.replace(pattern, (all, name: string, value: string) =>
      value === REDACTED || isHarmless(value) ? all : name + REDACTED,
    );
  }
  return safe;
}

/** Removes a known secret, also if only its start is shown before an ellipsis. */
function withoutKnown(text: string, secret: string): string {
  const parts = text.replaceAll(secret, REDACTED).split(ELLIPSIS);
  return parts
    .map((part, index) => {
      const cut = index < parts.length - 1 ? begunAtEnd(part, secret)[0] : undefined;
      return cut ? part.slice(0, cut[0]) + REDACTED : part;
    })
    .join(ELLIPSIS);
}

function withoutPrivateKeys(text: string): string {
  let safe = '';
  let at = 0;
  for (const [start, end] of privateKeyRanges(text)) {
    safe += text.slice(at, start) + REDACTED;
    at = end;
  }
  return safe + text.slice(at);
}

/** Names of environment variables whose values are secret. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$|_(?:PAT|AUTH)$/i;
/** Shorter values would also match harmless text. */
const MIN_SECRET_CHARACTERS = 8;

/** The secret values of an environment, longest first, because one may contain another. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && value.length >= MIN_SECRET_CHARACTERS
      ? [value]
      : [],
  );
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}
