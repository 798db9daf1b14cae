/** Maps English texts to their translations, as in `l10n/bundle.l10n.*.json`. */
export type TextBundle = Readonly<Record<string, string>>;

/** Keeps only the string entries of an untrusted value. */
export function parseTextBundle(value: unknown): TextBundle {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
