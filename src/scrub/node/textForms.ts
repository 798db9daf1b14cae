/** A text to remove. */
export interface ScrubText {
  readonly text: string;
  /** The spellings of the text, from `textForms`. */
  readonly forms: readonly Buffer[];
  readonly signal: AbortSignal;
}

const FILLER = '*'.charCodeAt(0);

/**
 * How many times JSON may be nested as a string in JSON, such as the arguments of a tool call in a
 * transcript.
 */
const DEPTH = 4;

/** The spellings of a text in a session's files: plain, in a URL, in JSON and in nested JSON. */
export function textForms(text: string): Buffer[] {
  const forms = [text, text.replaceAll('\n', '\r\n'), encodeURI(wellFormed(text))];
  forms.push(encodeURIComponent(wellFormed(text)));
  for (const write of [plain, ascii, upperAscii, htmlSafe, withSlashes]) {
    for (let depth = 0, form = text; depth < DEPTH; depth++) {
      form = write(JSON.stringify(form).slice(1, -1));
      forms.push(form);
    }
  }
  return [...new Set(forms)].map((form) => Buffer.from(form)).sort((a, b) => b.length - a.length);
}

/** Replaces every form by stars of the same length; undefined when there is none. */
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

/** Escapes the way JSON writers do that produce only ASCII. */
function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, escaped);
}

function upperAscii(text: string): string {
  return ascii(text).replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`);
}

/** Escapes the way JSON writers for HTML pages do. */
function htmlSafe(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, escaped);
}

function withSlashes(text: string): string {
  return text.replaceAll('/', '\\/');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Replaces lone surrogates, which URLs can't encode. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
