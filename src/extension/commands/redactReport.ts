import { REDACTED, redactSecrets } from '../../redaction/redact.ts';

/** Long runs without a word in them: keys and tokens look like that, and so does nothing that a report needs. */
const LOOKS_LIKE_A_KEY = /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g;
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.]+/g;

/** A report is read by strangers: besides secrets, home, user name, e-mail addresses and all that may be a key leave it. */
export function redactReport(text: string, names: { home: string; user: string }): string {
  const withoutAddresses = redactSecrets(text).replace(ADDRESS, '<address>');
  const withoutHome =
    names.home.length > 1 ? withoutAddresses.replaceAll(names.home, '~') : withoutAddresses;
  const withoutUser =
    names.user.length > 2
      ? withoutHome.replace(new RegExp(`\\b${escapePattern(names.user)}\\b`, 'g'), '<user>')
      : withoutHome;
  return withoutUser.replace(LOOKS_LIKE_A_KEY, REDACTED);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
