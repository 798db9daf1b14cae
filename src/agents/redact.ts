/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/**
 * Secrets that can be told by their looks. Each is a whole token: what stands around it stays. Better one word too many
 * than a key in a notification.
 */
const PATTERNS: readonly RegExp[] = [
  // Keys of providers, by their prefixes.
  /\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bxox[abposr]-[A-Za-z0-9-]{10,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // Web tokens: three parts, the first two JSON.
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** The name says that a secret follows; the name stays. None begins with a repetition: texts may be long and hostile. */
const NAMED: readonly RegExp[] = [
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]+)/gi,
  /(\bbearer\s+)([A-Za-z0-9._~+/-]{12,}=*)/gi,
  /((?:password|passwd|passphrase|secret|api[-_]?key|apikey|access[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|private[-_]?key|client[-_]?secret)["']?\s*[:=]\s*)("[^"\n]*"|'[^'\n]*'|[^\s"',;&|)]+)/gi,
  /((?:TOKEN|PASSWORD|SECRET|API_KEY)=)("[^"\n]*"|'[^'\n]*'|[^\s"';&|)]+)/g,
  /(--?(?:password|passwd|token|secret|api-key|apikey)(?:=|\s+))("[^"\n]*"|'[^'\n]*'|[^\s"';&|)]+)/gi,
  // The password in an address.
  /(:\/\/[^\s:/@]{0,100}:)([^\s@/]{1,200})(?=@)/g,
];

/** Longer texts are cut before: nothing that is redacted is longer, and patterns take their time. */
const MAX_CHARACTERS = 512 * 1024;

/**
 * Takes secrets out of a text that is going to be shown, searched or exported.
 *
 * @param known secrets that are known as such, for example values of the environment: taken out wherever they are
 */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let safe = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  for (const secret of known) safe = safe.replaceAll(secret, REDACTED);
  for (const pattern of PATTERNS) safe = safe.replace(pattern, REDACTED);
  for (const pattern of NAMED) {
    safe = safe.replace(pattern, (all, name: string, value: string) =>
      value === REDACTED || isHarmless(value) ? all : name + REDACTED,
    );
  }
  return safe;
}

/** A reference to a secret is none, and neither are the words of a type or a question. */
function isHarmless(value: string): boolean {
  return /^["']?(?:\$\{?\w+\}?|process\.env\S*|os\.environ\S*|string|true|false|null|undefined|None|\*+|<[^>]*>|)["']?$/.test(
    value,
  );
}

/** Names of variables whose values are secret. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$|_(?:PAT|AUTH)$/i;
/** Shorter values are found in harmless places. */
const MIN_SECRET_CHARACTERS = 8;

/** The values in an environment that must not be shown, the longest first: one may be part of another. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && value.length >= MIN_SECRET_CHARACTERS
      ? [value]
      : [],
  );
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}
