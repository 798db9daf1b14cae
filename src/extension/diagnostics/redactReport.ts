import { REDACTED, redactSecrets } from '../../redaction/redact.ts';

/** Long runs of letters and digits, which may be keys or tokens; a report needs none of them. */
const LOOKS_LIKE_A_KEY = /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g;
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.]+/g;

/** Removes secrets, possible keys, e-mail addresses, the home folder and the user name. */
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
