/** The count that the widths in `test/fixtures/golden/terminalWidths.json` are for. */
const COUNT = 500;

const EMOJI =
  '✅❌⌚⌛⏩⏰☔♈♿⚡⚽⛄⛎⛔✊✨❓❗➕⬛⭐🀄🃏🆎🈚🌀🌍🍎🎉🏀🏠🐍🐛👀👍💡💥📁📝📦🔍🔒🔥🔧🕐🖤😀😂🙂🙈🚀🚧🛑🛒🤖🤔🥇🦀🦊🧠🧪🪐🪜🫀🫠🫡🏻';
/** Text by default: only a variation selector makes them emoji. */
const TEXT_EMOJI = '☀☁☎☑☠☢☮☹♀♂♠♥♻⚙⚠⚒✂✈✉✏✔✖✳❄❤➡⤴⬅©®™‼⁉ℹ↔⏱▶◀🅰🌡🏖🐿👁🕵🖥🗑🛠🛡';
const PERSONS = '👋👍👩🧑🙏🤝💪🫶';
const SKINS = '🏻🏼🏽🏾🏿';
const JOINED = [
  '👨‍👩‍👧‍👦',
  '👩‍💻',
  '🧑‍🚀',
  '👩🏽‍🔬',
  '🏳️‍🌈',
  '🏴‍☠️',
  '❤️‍🔥',
  '👁️‍🗨️',
  '🐻‍❄️',
  '🐈‍⬛',
  '🧑‍🤝‍🧑',
  '👩‍❤️‍💋‍👨',
  '🤷🏿‍♀️',
  '🏃‍♂️',
  '😮‍💨',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
];
const FLAGS = ['DE', 'FR', 'JP', 'US', 'BR', 'UN', 'EU', 'ZA', 'IN', 'CN', 'GB', 'UA'];
const WIDE = '漢字仮名한글中文日本語ㄅㄆ〇々「」、。ーあアｱﾝＡ１！￥￦　〒㎏㈱㍿ꥠ가힣𠀀𠮷𪜀𗀀';
const NARROW = 'aé~ñßøЖΩאبहกආ…—–•→←↑↓─│┌█▓░▲●○◆★☆√∞≈≠ﬁ½№€£¥§¶†‡°±×÷';
const COMBINED = [
  'é',
  'ñ',
  'ä',
  'o̲̅',
  'ẹ̈',
  'न्',
  'कि',
  'ก็',
  'שָׁ',
  'بّ',
  'ᄒ',
  '한',
  '각',
  'か゛',
  'が',
];
const ALONE = [
  '‍',
  '​',
  '‌',
  '﻿',
  '⁠',
  '­',
  '️',
  '︎',
  '́',
  '⃣',
  '󠁧',
  '󠄀',
  'ᅡ',
  'ᆨ',
  '‎',
  '؜',
  '᠎',
  'ﾟ',
];
/** Prompts draw with symbols from the private areas. */
const SYMBOLS = '      󰀁󱐋🯀𝄞𝐀𝟘🀀🂡';

/** The same {@link COUNT} sequences on each run: emoji of all forms, other wide and joined characters. */
export function widthSequences(): readonly string[] {
  const sequences = new Set<string>();
  for (const character of EMOJI) sequences.add(character);
  for (const character of TEXT_EMOJI) {
    for (const selector of ['', '\ufe0f', '\ufe0e']) sequences.add(character + selector);
  }
  for (const character of [...EMOJI].slice(0, 12)) sequences.add(`${character}\ufe0f`);
  for (const person of PERSONS) for (const skin of SKINS) sequences.add(person + skin);
  for (const joined of JOINED) sequences.add(joined).add(`${joined}x${joined}`);
  for (const key of '0123456789#*') sequences.add(`${key}\ufe0f\u20e3`);
  for (const flag of FLAGS) {
    const letters = [...flag].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65);
    sequences.add(String.fromCodePoint(...letters)).add(String.fromCodePoint(letters[0]!));
  }
  for (const text of [WIDE, NARROW, SYMBOLS]) for (const each of text) sequences.add(each);
  for (const text of [...COMBINED, ...ALONE]) sequences.add(text).add(`a${text}b`);
  // Lines as programs print them.
  const emoji = [...EMOJI];
  for (let at = 0; sequences.size < COUNT; at++) {
    const mark = emoji[at % emoji.length]!;
    sequences.add(`${mark} ${at} done ${JOINED[at % JOINED.length]!}│${[...WIDE].at(at % 20)!}`);
  }
  return [...sequences].slice(0, COUNT);
}
