/** A quote without an end extends to the end of the text, which is cut or incomplete. */
export const QUOTED = String.raw`"[^"\n]*(?:"|$)|'[^'\n]*(?:'|$)`;

/** Names of values that are secret. */
export const NAMES = [
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

/** Names that are secret only as a whole word or with an assignment. */
const MORE_NAMES = [
  'secret[-_]?(?:access[-_]?)?key(?:[-_]?base)?',
  '(?:signing|webhook|master|service[-_]?role|shared[-_]?access)[-_]?key',
  '(?:db|user|mail|smtp|ftp|redis|mysql|pg|postgres|admin|root)[-_]?(?:pass|pwd)',
].join('|');

const ANY_NAME = `${NAMES}|${MORE_NAMES}`;
const ASSIGNS = String.raw`["']?\s{0,9}(?:=>|[:=])\s{0,9}`;
const VALUE = String.raw`${QUOTED}|[^\s"';,&|)<]+`;
/** The words of a command line before an option; a pipe or a semicolon ends it. */
const WORDS = String.raw`\b[^\n|;&]{0,300}?\s`;
const COOKIE = String.raw`[^\s=;"']{1,64}=`;

/**
 * Patterns that recognize secrets by the text before them. Their first group is that text, which is
 * not redacted. No pattern starts with a repetition, which would be slow on long hostile texts.
 */
export const FORMS: readonly RegExp[] = [
  new RegExp(`((?:${MORE_NAMES})${ASSIGNS})(${VALUE})`, 'gi'),
  // Ruby and PHP.
  new RegExp(String.raw`((?:${NAMES})["']?\s{0,9}=>\s{0,9})(${VALUE})`, 'gi'),
  new RegExp(
    String.raw`(\bdefine\(\s{0,5}["']\w{0,40}(?:PASS|PASSWORD|SECRET|_KEY|TOKEN|SALT)["']\s{0,5},\s{0,5})(${QUOTED})`,
    'gi',
  ),
  // XML: elements, and attributes as in `<add key="ApiKey" value="…">`.
  new RegExp(
    String.raw`(<[\w:.-]{0,40}?(?:${ANY_NAME})(?:\s[^<>\n]{0,80})?>\s{0,9})([^<>\s][^<>\n]{0,500})`,
    'gi',
  ),
  new RegExp(String.raw`((?:${ANY_NAME})["']\s{1,9}value\s{0,3}=\s{0,3})(${QUOTED})`, 'gi'),
  // A word that is often harmless needs a value that looks random.
  /(\b(?:token|pass|pwd)["']?\s{0,9}(?:=>|[:=])\s{0,9})("(?=[^"\n]{0,200}\d)[A-Za-z0-9+/_=.~-]{16,}"|'(?=[^'\n]{0,200}\d)[A-Za-z0-9+/_=.~-]{16,}')/gi,
  // Command lines.
  new RegExp(
    String.raw`(\bcurl${WORDS}(?:-u|--user|--proxy-user)[ =]{0,3}["']?[^\s:"']{1,100}:)([^\s"']+)`,
    'g',
  ),
  new RegExp(String.raw`(\bcurl${WORDS}(?:-b|--cookie)[ =]{0,3}["']?)(${COOKIE}[^"'\n]+)`, 'g'),
  new RegExp(
    String.raw`(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)${WORDS}-p)(${QUOTED}|[^\s"']+)`,
    'g',
  ),
  new RegExp(String.raw`(\bsshpass\s{1,5}-p\s{0,5})(${QUOTED}|[^\s"']+)`, 'g'),
  new RegExp(String.raw`(\bredis-cli${WORDS}-a\s{1,5})(${QUOTED}|[^\s"']+)`, 'g'),
  new RegExp(
    String.raw`(\b(?:set-)?cookie["']?:\s{0,3}["']?)(${COOKIE}[^\s;"']{6,}[^\r\n"']*)`,
    'gi',
  ),
  // URLs with which anyone can post messages.
  /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9/_-]+)/g,
  /(\bdiscord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/)([\w-]+)/g,
  // Telegram and Discord: the first part is the public ID of the bot.
  /(\b\d{8,10}:)(AA[A-Za-z0-9_-]{30,})/g,
  /(?<![\w.-])([MNO][\w-]{23,27}\.)([\w-]{6}\.[\w-]{27,40})(?![\w.-])/g,
];

/** Match such secrets at the end of an incomplete text. */
export const BEGUN_FORMS: readonly RegExp[] = [
  /(\b\d{8,10}:)(A(?:A[A-Za-z0-9_-]*)?)$/,
  /(?<![\w.-])([MNO][\w-]{23,27}\.)([\w-]{1,6}(?:\.[\w-]{0,40})?)$/,
  /(\b(?:token|pass|pwd)["']?\s{0,9}(?:=>|[:=])\s{0,9})("[A-Za-z0-9+/_=.~-]+|'[A-Za-z0-9+/_=.~-]+)$/i,
  new RegExp(String.raw`(\b(?:set-)?cookie["']?:\s{0,3}["']?)(${COOKIE}[^\r\n"']*)$`, 'i'),
];
