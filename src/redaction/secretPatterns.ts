/** The place of a secret in a text; the end is exclusive. */
export type SecretRange = readonly [start: number, end: number];

/**
 * Text before a token: anything but a letter or digit, except escapes such as `\n`, `%20` and
 * colors.
 */
const BEFORE = String.raw`(?:^|[^A-Za-z0-9]|\\[nrtfb]|%[0-9A-Fa-f]{2}|\[[0-9;]{0,11}m)`;

/** The pattern starts with the prefix, because that makes the search fast. */
function token(prefix: string, rest: string, flags = 'g'): RegExp {
  return new RegExp(`(?:${prefix})(?<=${BEFORE}(?:${prefix}))${rest}`, flags);
}

/** API keys of known providers. */
const KEYS: readonly (readonly [prefix: string, letters: string, least: number])[] = [
  ['sk-(?:ant-|proj-|svcacct-|or-)?', '[A-Za-z0-9_-]', 16],
  ['gh[pousr]_|github_pat_', '[A-Za-z0-9_]', 20],
  ['gl(?:pat|dt|rt|ptt|soat|cbt)-', '[A-Za-z0-9_-]', 16],
  ['AIza', '[A-Za-z0-9_-]', 30],
  ['ya29[.]|GOCSPX-|hvs[.]', '[A-Za-z0-9_-]', 20],
  ['xox[abposr]-|xapp-', '[A-Za-z0-9-]', 10],
  ['[sprw](?:k|hsec)_(?:live|test)_|whsec_', '[A-Za-z0-9]', 16],
  ['npm_', '[A-Za-z0-9]', 30],
  ['hf_|gsk_|r8_|xai-|pplx-|sbp_', '[A-Za-z0-9]', 20],
  ['do[opr]_v1_|shp(?:at|ss|ca|pa)_|dckr_pat_|lin_api_', '[A-Za-z0-9_-]', 20],
  ['pypi-AgE|ATATT3|AGE-SECRET-KEY-1', '[A-Za-z0-9_=-]', 20],
];

/**
 * Secrets with a recognizable format, except private keys. Each pattern matches a whole token. They
 * rather match a harmless word than miss a key.
 */
export const PATTERNS: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters, least]) => token(prefix, `${letters}{${least},}`)),
  token('AKIA|ASIA', String.raw`[A-Z0-9]{16}\b`),
  token('SG[.]', String.raw`[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
  // Web tokens: the first two parts are JSON, the third may be missing.
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`),
];

/** The same secrets at the end of a text, incomplete because they are still being printed. */
export const BEGUN: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*$`, '')),
  token('AKIA|ASIA', '[A-Z0-9]*$', ''),
  token('SG[.]', '[A-Za-z0-9_.-]*$', ''),
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}$`, ''),
];

/** The same secrets, shortened with an ellipsis. */
export const CUT: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*(?=…)`)),
  token('AKIA|ASIA', '[A-Z0-9]*(?=…)'),
  token('eyJ', '[A-Za-z0-9_.-]*(?=…)'),
  /(?<=\bbearer )[A-Za-z0-9._~+/-]+(?=…)/gi,
];

/** A text without any of these contains none of the secrets: a quick first check. */
export const HINT =
  /sk-|gh[pousr]_|_pat_|gl[a-z]+-|A(?:KIA|SIA|Iza|TATT|GE-)|ya29|GOCSPX|hvs|x[oa][xp]|_(?:live|test)_|whsec|npm_|hf_|gsk_|r8_|xai-|pplx|sbp_|_v1_|shp|lin_|pypi|SG\.|eyJ/;

/** An unclosed quote extends to the end: the text is cut or incomplete. */
const QUOTED = String.raw`"[^"\n]*(?:"|$)|'[^'\n]*(?:'|$)`;
const NAMES = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'api[-_]?key',
  'access[-_]?key',
  'account[-_]?key',
  'private[-_]?key',
  'client[-_]?secret',
  'encryption[-_]?key',
  '(?:auth|access|refresh|session|id|api|bot)[-_]?token',
].join('|');

/**
 * Secrets that follow a name, which is kept. No pattern starts with a repetition, which would be
 * slow on long hostile texts.
 */
export const NAMED: readonly RegExp[] = [
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]+)/gi,
  /(\bbearer\s+)([A-Za-z0-9._~+/-]{12,}=*)/gi,
  new RegExp(String.raw`((?:${NAMES})["']?\s*[:=]\s*)(${QUOTED}|[^\s"',;&|)]+)`, 'gi'),
  new RegExp(
    String.raw`((?:TOKEN|PASSWORD|SECRET|API_KEY|_PASS|_PWD)=)(${QUOTED}|[^\s"';&|)]+)`,
    'g',
  ),
  new RegExp(
    String.raw`(--?(?:password|passwd|token|secret|api-key|apikey)(?:=|\s+))(${QUOTED}|[^\s"';&|)]+)`,
    'gi',
  ),
  // Passwords in URLs and in `.netrc` files.
  /(:\/\/[^\s:/@]{0,100}:)([^\s@/]{1,200})(?=@)/g,
  /(\blogin\s{1,9}[^\s]{1,100}\s{1,9}password\s{1,9})([^\s]+)/gi,
];

/** The same at the end of an incomplete text. A port number is not a password. */
export const BEGUN_NAMED: readonly RegExp[] = [
  /(\bbearer\s+)([A-Za-z0-9._~+/-]+=*)$/i,
  /(:\/\/[^\s:/@]{0,100}:)(?!\d{0,5}$)([^\s@/]{1,200})$/,
];

/** Whether a value only refers to a secret (`$TOKEN`) or is a placeholder, type name or prompt. */
export function isHarmless(value: string): boolean {
  return /^["']?(?:\$\{?\w+\}?|process\.env\S*|os\.environ\S*|string|true|false|null|undefined|None|\*+|<[^>]*>|)["']?$/.test(
    value,
  );
}
