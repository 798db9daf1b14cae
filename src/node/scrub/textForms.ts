const FILLER = '*'.charCodeAt(0);

/** How a text may be written in the files of a session: as it is, in JSON, and in JSON that is itself a text in JSON. */
export function textForms(text: string): Buffer[] {
  const once = inJson(text);
  const forms = [
    text,
    once,
    inJson(once),
    escaped(once),
    escaped(inJson(once)),
    text.replaceAll('\n', '\r\n'),
  ];
  return [...new Set(forms)].map((form) => Buffer.from(form)).sort((a, b) => b.length - a.length);
}

/** Every form replaced by as many stars; nothing when there is none. */
export function withoutText(bytes: Uint8Array, forms: readonly Buffer[]): Buffer | undefined {
  const copy = Buffer.from(bytes);
  let hasChanged = false;
  for (const form of forms) {
    for (let at = copy.indexOf(form); at >= 0; at = copy.indexOf(form, at + form.length)) {
      copy.fill(FILLER, at, at + form.length);
      hasChanged = true;
    }
  }
  return hasChanged ? copy : undefined;
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As writers of JSON do that keep to ASCII. */
function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
