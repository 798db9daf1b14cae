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

/**
 * An opened link sets the flag for extended attributes without an underline. This link is opened
 * only for that, and no text is printed in it.
 */
const PLACEHOLDER_LINK = { uri: 'about:blank' };

/** Differs from the attributes of every cell. */
const UNKNOWN: Attributes = { ...PLAIN, fg: -1, bg: PROTECTED };

/**
 * Sets attributes in the terminal that reads our stream, and tracks the current ones. Callers open
 * and close hyperlinks, which these sequences don't change.
 */
export class AttributeWriter {
  readonly #write: (text: string) => void;
  #inForce: Attributes = PLAIN;
  /**
   * Whether {@link setThroughSavedCursor} has replaced the saved cursor of the reading terminal.
   */
  hasUsedSavedCursor = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** @returns false if SGR sequences can't set the attributes; then nothing was written */
  set(attributes: Attributes): boolean {
    if (!isReachable(attributes)) return false;
    // Ignores the link, which the caller has opened.
    if (sameAttributes({ ...this.#inForce, urlId: attributes.urlId }, attributes)) return true;
    // SGR 0 ends protection in xterm.js, but not in other terminals.
    if (isProtected(this.#inForce)) this.#write(`${CSI}0"q`);
    this.#write(selectGraphicRendition(attributes));
    if (isProtected(attributes)) this.#write(`${CSI}1"q`);
    this.#inForce = attributes;
    return true;
  }

  /**
   * Sets attributes that only a restored cursor can have, for example underlined without an
   * underline style, by saving and restoring the cursor. Expects the cursor at its final position,
   * and no open link.
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

  /**
   * Sets foreground and background with their flags, as DECSC saves them; the underline style may
   * differ.
   */
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

  /** Call when the attributes in the reading terminal are unknown. */
  forget(): void {
    this.#inForce = UNKNOWN;
  }

  /** Resets the attributes and closes the link after `setFlags`. */
  reset(): void {
    this.#write(`${CLOSE_LINK}${CSI}0m`);
    if (isProtected(this.#inForce)) this.#write(`${CSI}0"q`);
    this.#inForce = PLAIN;
  }
}
