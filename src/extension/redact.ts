/** Long runs without a word in them: keys and tokens look like that, and so does nothing that a report needs. */
const SECRET = /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g;
const ASSIGNED_SECRET =
  /((?:token|secret|password|passwd|api[-_]?key|authorization)["']?\s*[=:]\s*)(?:bearer\s+)?\S+/gi;
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.]+/g;

/** Takes out of a text what may be secret or personal: home, user name, e-mail addresses, whatever looks like a key. */
export function redact(text: string, names: { home: string; user: string }): string {
  const withoutAddresses = text.replace(ADDRESS, '<address>');
  const withoutHome =
    names.home.length > 1 ? withoutAddresses.replaceAll(names.home, '~') : withoutAddresses;
  const withoutUser =
    names.user.length > 2
      ? withoutHome.replace(new RegExp(`\\b${escapePattern(names.user)}\\b`, 'g'), '<user>')
      : withoutHome;
  return withoutUser.replace(ASSIGNED_SECRET, '$1<removed>').replace(SECRET, '<removed>');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
