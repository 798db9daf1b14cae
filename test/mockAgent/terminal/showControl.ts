/** Makes control characters visible: `ESC[A`, `^M`. */
export function showControl(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, (character) =>
    character === '\x1b' ? 'ESC' : `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`,
  );
}
