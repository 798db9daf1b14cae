/** What may stand before a token: no letter or digit, but for those of an escape in another language. */
const BEFORE = String.raw`(?:^|[^A-Za-z0-9]|\\[nrtfb]|%[0-9A-Fa-f]{2}|\[[0-9;]{0,11}m)`;

/** The prefix comes first, since that is what a text is quickly looked through for. */
function token(prefix: string, rest: string, flags = 'g'): RegExp {
  return new RegExp(`(?:${prefix})(?<=${BEFORE}(?:${prefix}))${rest}`, flags);
}

/** Prefixes of keys of providers, and what follows them. */
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
 * Secrets that can be told by their looks, but for private keys. Each is a whole token: what stands around it stays. Better
 * one word too many than a key in a notification.
 */
export const PATTERNS: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters, least]) => token(prefix, `${letters}{${least},}`)),
  token('AKIA|ASIA', String.raw`[A-Z0-9]{16}\b`),
  token('SG[.]', String.raw`[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
  // Web tokens: the first two parts are JSON, the third may be missing.
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`),
];

/** The same while they are still being printed: all that has come so far, at the end of a text. */
export const BEGUN: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*$`, '')),
  token('AKIA|ASIA', '[A-Z0-9]*$', ''),
  token('SG[.]', '[A-Za-z0-9_.-]*$', ''),
  token('eyJ', String.raw`[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}$`, ''),
];

/** The same where a text was cut for a list. */
export const CUT: readonly RegExp[] = [
  ...KEYS.map(([prefix, letters]) => token(prefix, `${letters}*(?=…)`)),
  token('AKIA|ASIA', '[A-Z0-9]*(?=…)'),
  token('eyJ', '[A-Za-z0-9_.-]*(?=…)'),
  /(?<=\bbearer )[A-Za-z0-9._~+/-]+(?=…)/gi,
];

/** Any of them may be in a text that has one of these. */
export const HINT =
  /sk-|gh[pousr]_|_pat_|gl[a-z]+-|A(?:KIA|SIA|Iza|TATT|GE-)|ya29|GOCSPX|hvs|x[oa][xp]|_(?:live|test)_|whsec|npm_|hf_|gsk_|r8_|xai-|pplx|sbp_|_v1_|shp|lin_|pypi|SG\.|eyJ/;

/** A quote that is not closed reaches to the end: the text is cut there, or goes on. */
const QUOTED = String.raw`"[^"\n]*(?:"|$)|'[^'\n]*(?:'|$)`;
const NAMES = [
  ...['password', 'passwd', 'passphrase', 'secret', 'api[-_]?key', 'access[-_]?key'],
  ...['account[-_]?key', 'private[-_]?key', 'client[-_]?secret', 'encryption[-_]?key'],
  '(?:auth|access|refresh|session|id|api|bot)[-_]?token',
].join('|');

/** The name says that a secret follows; the name stays. None begins with a repetition: texts may be long and hostile. */
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
  // The password in an address, and in a file for such.
  /(:\/\/[^\s:/@]{0,100}:)([^\s@/]{1,200})(?=@)/g,
  /(\blogin\s{1,9}[^\s]{1,100}\s{1,9}password\s{1,9})([^\s]+)/gi,
];

/** The same where only what follows would tell, at the end of a text. A port is no password. */
export const BEGUN_NAMED: readonly RegExp[] = [
  /(\bbearer\s+)([A-Za-z0-9._~+/-]+=*)$/i,
  /(:\/\/[^\s:/@]{0,100}:)(?!\d{0,5}$)([^\s@/]{1,200})$/,
];

/** A reference to a secret is none, and neither are the words of a type or a question. */
export function isHarmless(value: string): boolean {
  return /^["']?(?:\$\{?\w+\}?|process\.env\S*|os\.environ\S*|string|true|false|null|undefined|None|\*+|<[^>]*>|)["']?$/.test(
    value,
  );
}
