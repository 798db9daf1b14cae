const FILLER = '*'.charCodeAt(0);

/** So deep is a text in JSON that is itself a text in JSON, such as the arguments of a tool in a line of a transcript. */
const DEPTH = 4;

/** How a text may be written in the files of a session: as it is, in an address, in JSON, and in JSON in JSON. */
export function textForms(text: string): Buffer[] {
  const forms = [text, text.replaceAll('\n', '\r\n'), encodeURI(wellFormed(text))];
  forms.push(encodeURIComponent(wellFormed(text)));
  for (const write of [plain, ascii, upperAscii, forPages, withSlashes]) {
    for (let depth = 0, form = text; depth < DEPTH; depth++) {
      form = write(JSON.stringify(form).slice(1, -1));
      forms.push(form);
    }
  }
  return [...new Set(forms)].map((form) => Buffer.from(form)).sort((a, b) => b.length - a.length);
}

/** Every form replaced by as many stars; nothing when there is none. */
export function withoutText(bytes: Uint8Array, forms: readonly Buffer[]): Buffer | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let copy: Buffer | undefined;
  for (const form of forms) {
    for (let at = (copy ?? view).indexOf(form); at >= 0; at = copy.indexOf(form, at)) {
      copy ??= Buffer.from(bytes);
      copy.fill(FILLER, at, at + form.length);
    }
  }
  return copy;
}

function plain(text: string): string {
  return text;
}

/** As writers of JSON do that keep to ASCII. */
function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, escaped);
}

function upperAscii(text: string): string {
  return ascii(text).replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`);
}

/** As writers of JSON do that think of pages. */
function forPages(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, escaped);
}

function withSlashes(text: string): string {
  return text.replaceAll('/', '\\/');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Half of a pair has no place in an address. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
