/**
 * Secrets that can be told by their looks. Each is a whole token: what stands around it stays. Better one word too many
 * than a key in a notification.
 */
export const PATTERNS: readonly RegExp[] = [
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

/** The same while they are still being printed: all that has come so far, at the end of a text. */
export const BEGUN: readonly RegExp[] = [
  /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|A(?:KIA|SIA)|AIza|ya29\.|xox[abposr]-|npm_|hf_)[A-Za-z0-9_-]*$/,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]*$/,
  /\bSG\.[A-Za-z0-9_.-]*$/,
  /\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}$/,
];

/** The name says that a secret follows; the name stays. None begins with a repetition: texts may be long and hostile. */
export const NAMED: readonly RegExp[] = [
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]+)/gi,
  /(\bbearer\s+)([A-Za-z0-9._~+/-]{12,}=*)/gi,
  /((?:password|passwd|passphrase|secret|api[-_]?key|apikey|access[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|private[-_]?key|client[-_]?secret)["']?\s*[:=]\s*)("[^"\n]*"|'[^'\n]*'|[^\s"',;&|)]+)/gi,
  /((?:TOKEN|PASSWORD|SECRET|API_KEY)=)("[^"\n]*"|'[^'\n]*'|[^\s"';&|)]+)/g,
  /(--?(?:password|passwd|token|secret|api-key|apikey)(?:=|\s+))("[^"\n]*"|'[^'\n]*'|[^\s"';&|)]+)/gi,
  // The password in an address.
  /(:\/\/[^\s:/@]{0,100}:)([^\s@/]{1,200})(?=@)/g,
];

/** A reference to a secret is none, and neither are the words of a type or a question. */
export function isHarmless(value: string): boolean {
  return /^["']?(?:\$\{?\w+\}?|process\.env\S*|os\.environ\S*|string|true|false|null|undefined|None|\*+|<[^>]*>|)["']?$/.test(
    value,
  );
}
