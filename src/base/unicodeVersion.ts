/**
 * The table of character widths of a terminal. VS Code's setting
 * `terminal.integrated.unicodeVersion` has the same values; 6 is xterm's own table, in which most
 * emoji are one column wide.
 */
export type UnicodeVersion = '6' | '11';

/** VS Code's default. */
export const DEFAULT_UNICODE_VERSION: UnicodeVersion = '11';

/** @param stored the field of a session's metadata; sessions of older versions have none */
export function storedUnicodeVersion(stored: unknown): UnicodeVersion {
  return stored === undefined || stored === '6' ? '6' : DEFAULT_UNICODE_VERSION;
}

/** @param setting the value of VS Code's setting, which may be anything */
export function configuredUnicodeVersion(setting: unknown): UnicodeVersion {
  return setting === '6' ? '6' : DEFAULT_UNICODE_VERSION;
}
