import { BEGUN_FORMS, FORMS, NAMES, QUOTED } from './secretForms.ts';

/** The place of a secret in a text; the end is exclusive. */
export type SecretRange = readonly [start: number, end: number];

/**
 * What may stand before a token: anything but a letter or digit, or an escape such as `\n`, `%20`
 * or a color, although these end with a letter or digit.
 */
const BEFORE = String.raw`(?:^|[^A-Za-z0-9]|\\[nrtfb]|%[0-9A-Fa-f]{2}|\[[0-9;]{0,11}m)`;

/** The pattern starts with the prefix, because that makes the search fast. */
function token(prefix: string, rest: string, flags = 'g'): RegExp {
  return new RegExp(`(?:${prefix})(?<=${BEFORE}(?:${prefix}))${rest}`, flags);
}

/**
 * API keys of known providers: their first characters, the possible characters after these, and the
 * minimum number of them.
 */
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
  ['dapi', '[a-f0-9-]', 32],
  ['pypi-AgE|ATATT3|AGE-SECRET-KEY-1', '[A-Za-z0-9_=-]', 20],
];

/**
 * Secrets with a recognizable format, except private keys. Each pattern matches a whole token.
 * Matching a harmless word is better than missing a key.
 */
export const PATTERNS: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters, least]) => token(prefix, `${letters}{${least},}`)),
  token('AKIA|ASIA', String.raw`[A-Z0-9]{16}\b`),
  token('SK', String.raw`[a-f0-9]{32}\b`),
  token('SG[.]', String.raw`[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
  // Web tokens: the first two parts are JSON, the third may be missing.
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`),
];

/**
 * Match the same secrets at the end of a text, where they are incomplete because a program is still
 * printing them.
 */
export const BEGUN: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*$`, '')),
  token('AKIA|ASIA', '[A-Z0-9]*$', ''),
  token('SK', '[a-f0-9]{1,32}$', ''),
  token('SG[.]', '[A-Za-z0-9_.-]*$', ''),
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}$`, ''),
];

/** Match the same secrets if an ellipsis shortens them. */
export const CUT: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*(?=…)`)),
  token('AKIA|ASIA', '[A-Z0-9]*(?=…)'),
  token('eyJ', '[A-Za-z0-9_.-]*(?=…)'),
  /(?<=\bbearer )[A-Za-z0-9._~+/-]+(?=…)/gi,
];

/** A quick first check: a text that does not match contains none of these secrets. */
export const HINT =
  /sk-|gh[pousr]_|_pat_|gl[a-z]+-|A(?:KIA|SIA|Iza|TATT|GE-)|ya29|GOCSPX|hvs|x[oa][xp]|_(?:live|test)_|whsec|npm_|hf_|gsk_|r8_|xai-|pplx|sbp_|_v1_|shp|lin_|pypi|dapi|SK[a-f0-9]|SG\.|eyJ/;

/**
 * Secrets that follow a name. The name is not redacted. No pattern starts with a repetition, which
 * would be slow on long hostile texts.
 */
export const NAMED: readonly RegExp[] = [
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]+)/gi,
  /(\bbearer\s+)([A-Za-z0-9._~+/-]{12,}=*)/gi,
  new RegExp(String.raw`((?:${NAMES})["']?\s*[:=](?!>)\s*)(${QUOTED}|[^\s"',;&|)]+)`, 'gi'),
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
  ...FORMS,
];

/**
 * Match such secrets at the end of an incomplete text. A port number after a host is not a
 * password.
 */
export const BEGUN_NAMED: readonly RegExp[] = [
  /(\bbearer\s+)([A-Za-z0-9._~+/-]+=*)$/i,
  /(:\/\/[^\s:/@]{0,100}:)(?!\d{0,5}$)([^\s@/]{1,200})$/,
  ...BEGUN_FORMS,
];

/**
 * Whether a value is not a secret: a reference to one (`$TOKEN`), a placeholder, a type name, or
 * empty as after a prompt.
 */
export function isHarmless(value: string): boolean {
  return /^["']?(?:\$\{?\w+\}?|process\.env\S*|os\.environ\S*|string|true|false|null|undefined|None|\*+|<[^>]*>|)["']?$/.test(
    value,
  );
}
