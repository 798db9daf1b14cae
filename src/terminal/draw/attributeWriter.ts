import { HAS_EXTENDED, PROTECTED, UNDERLINE } from '../screen/cellBits.ts';
import {
  CLOSE_LINK,
  CSI,
  ESC,
  PLAIN,
  isProtected,
  isReachable,
  openLink,
  sameAttributes,
  selectGraphicRendition,
  type Attributes,
} from '../screen/attributes.ts';

/** Sets the flag that a cell has extended attributes without an underline; the link itself is never shown. */
const PLACEHOLDER_LINK = { uri: 'about:blank' };

/** Equal to no attributes that are ever asked for. */
const UNKNOWN: Attributes = { ...PLAIN, fg: -1, bg: PROTECTED };

/**
 * Brings the terminal that reads our stream to given attributes, and knows which are in force there. Hyperlinks are the
 * caller's: a sequence from here leaves an open link as it is.
 */
export class AttributeWriter {
  readonly #write: (text: string) => void;
  #inForce: Attributes = PLAIN;
  /** Whether the reader's saved cursor is one of ours now. */
  hasUsedSavedCursor = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** @returns whether it can be done without moving the cursor; if not, nothing was written */
  set(attributes: Attributes): boolean {
    if (!isReachable(attributes)) return false;
    // The link is in force already, opened by the caller, and no part of what is written here.
    if (sameAttributes({ ...this.#inForce, urlId: attributes.urlId }, attributes)) return true;
    // SGR 0 ends protection in xterm.js and not elsewhere: say it either way.
    if (isProtected(this.#inForce)) this.#write(`${CSI}0"q`);
    this.#write(selectGraphicRendition(attributes));
    if (isProtected(attributes)) this.#write(`${CSI}1"q`);
    this.#inForce = attributes;
    return true;
  }

  /**
   * Attributes that only a restored cursor leaves behind, e.g. underlined without an underline style: saved with the
   * cursor, restored over another style. Uses the saved cursor and expects the cursor where it shall stay; no link open.
   */
  setThroughSavedCursor(attributes: Attributes): void {
    this.hasUsedSavedCursor = true;
    this.setFlags(attributes);
    this.#write(`${ESC}7`);
    this.reset();
    const isUnderlined = attributes.underlineStyle !== 0;
    this.set({
      ...PLAIN,
      fg: isUnderlined ? UNDERLINE : 0,
      bg: isUnderlined ? HAS_EXTENDED : 0,
      underlineStyle: attributes.underlineStyle,
      underlineColor: attributes.underlineColor,
    });
    this.#write(`${ESC}8`);
    this.#inForce = attributes;
  }

  /** Sets foreground and background, flags included, with whatever underline style goes along: enough to be saved (DECSC). */
  setFlags({ fg, bg }: Attributes): void {
    const isUnderlined = (fg & UNDERLINE) !== 0;
    const isExtended = (bg & HAS_EXTENDED) !== 0;
    const flags = { ...PLAIN, fg, bg };
    if (isExtended && !isUnderlined) {
      this.set({ ...flags, bg: bg & ~HAS_EXTENDED });
      this.#write(openLink(PLACEHOLDER_LINK));
    } else if (isUnderlined && !isExtended) {
      this.set({ ...flags, bg: bg | HAS_EXTENDED, underlineStyle: 1 });
      this.#write(`${ESC}7${CSI}24m${ESC}8${CLOSE_LINK}`);
    } else {
      this.set({ ...flags, underlineStyle: isUnderlined ? 1 : 0 });
    }
    this.#inForce = flags;
  }

  /** The reader's attributes were changed by other means. */
  forget(): void {
    this.#inForce = UNKNOWN;
  }

  /** After `setFlags`: back to nothing in force, no link open. */
  reset(): void {
    this.#write(`${CLOSE_LINK}${CSI}0m`);
    if (isProtected(this.#inForce)) this.#write(`${CSI}0"q`);
    this.#inForce = PLAIN;
  }
}
