/** The part of xterm that draws characters, given as code points. */
export interface Printer {
  print(data: Uint32Array, start: number, end: number): void;
}

const SOFT_HYPHEN = 0xad;
/** The last byte of a soft hyphen in UTF-8. Other characters may also contain this byte. */
export const SOFT_HYPHEN_BYTE = 0xad;

/**
 * Drops soft hyphens as VS Code's terminals do; xterm 6.0 draws each in a column of its own.
 * @param hasNone whether the parsed bytes certainly contain no soft hyphen, so that the characters
 * need not be checked
 */
export function dropSoftHyphens(printer: Printer, hasNone = () => false): void {
  const print = printer.print.bind(printer);
  printer.print = (data, start, end) => {
    if (hasNone()) {
      print(data, start, end);
      return;
    }
    let from = start;
    for (let at = start; at < end; at++) {
      if (data[at] !== SOFT_HYPHEN) continue;
      if (at > from) print(data, from, at);
      from = at + 1;
    }
    if (end > from) print(data, from, end);
  };
}
