/** Reads a request; missing fields are empty, since agents change their formats. */
type Fields = Readonly<Record<string, unknown>>;

export function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
