import { CSI, attributesInForce } from '../screen/attributes.ts';
import { CursorFinisher } from './cursorFinisher.ts';
import { regionStream, tabStream, titleStream } from './modeStream.ts';
import { hasSavedCursor, saveCursor } from './savedCursor.ts';
import { ScreenDrawer } from './screenDrawer.ts';
import type { LinkData, ScreenBuffer } from '../screen/screenTypes.ts';
import { StreamWriter } from './streamWriter.ts';
import type { XtermTerminal } from '../screen/xtermInternals.ts';

export interface SerializedScreen {
  /**
   * Restores the screen in a fresh terminal of the same size. Contains no query: the reply would go
   * to the program.
   */
  readonly stream: string;
  /** What the stream can't express, in words; empty if it restores the exact state. */
  readonly losses: ReadonlySet<string>;
}

/** Streams for state that xterm does not keep. They don't change the cursor or the attributes. */
export interface PassedOnState {
  /** For the whole terminal. */
  readonly stream: string;
  /** For one screen, while it is active. */
  screenStream(screen: 'normal' | 'alternate'): string;
}

const ENTER_ALTERNATE = `${CSI}?47h`;
const LEAVE_ALTERNATE = `${CSI}?47l`;
const ORIGIN_MODE = `${CSI}?6h`;

/**
 * The state of a terminal as a stream: cells of both screens, cursors, attributes, modes, tab
 * stops, margins, character sets, title. Sequences that move the cursor come first and the position
 * of the cursor comes last, because some sequences reset what others have set.
 */
export function serializeScreen(
  xterm: XtermTerminal,
  linkOf: (urlId: number) => LinkData | undefined,
  passedOn: PassedOnState,
): SerializedScreen {
  return new Serializer(xterm, linkOf, passedOn).serialize();
}

class Serializer {
  readonly #xterm: XtermTerminal;
  readonly #writer: StreamWriter;
  readonly #drawer: ScreenDrawer;
  readonly #cols: number;
  readonly #rows: number;
  readonly #openLinkId: number;
  readonly #passedOn: PassedOnState;

  constructor(
    xterm: XtermTerminal,
    linkOf: (urlId: number) => LinkData | undefined,
    passedOn: PassedOnState,
  ) {
    this.#passedOn = passedOn;
    this.#xterm = xterm;
    this.#cols = xterm.size.cols;
    this.#rows = xterm.size.rows;
    this.#writer = new StreamWriter(this.#cols);
    this.#drawer = new ScreenDrawer(xterm, linkOf, this.#writer);
    this.#openLinkId = attributesInForce(xterm.attributes).urlId;
  }

  serialize(): SerializedScreen {
    const { normal, alternate, active } = this.#xterm;
    const writer = this.#writer;
    if (active === alternate) {
      this.#drawScreen(normal);
      writer.writeMoving(regionStream(normal, this.#rows));
      // The cursor's row on the inactive screen decides which rows are dropped when the terminal
      // shrinks.
      writer.moveTo(normal.y, Math.min(normal.x, this.#cols - 1));
      writer.writeMoving(ENTER_ALTERNATE);
    } else if (hasSavedCursor(alternate) || this.#passedOn.screenStream('alternate') !== '') {
      writer.writeMoving(ENTER_ALTERNATE);
      writer.write(this.#passedOn.screenStream('alternate'));
      if (hasSavedCursor(alternate)) saveCursor(this.#xterm, writer, alternate);
      writer.writeMoving(LEAVE_ALTERNATE);
    }
    this.#drawScreen(active);
    if (this.#openLinkId !== 0) this.#drawer.drawOpenLink(active, this.#openLinkId);
    writer.write(this.#passedOn.stream);
    writer.write(titleStream(this.#xterm));
    writer.writeMoving(regionStream(active, this.#rows));
    if (this.#xterm.modes.origin) writer.writeMoving(ORIGIN_MODE);
    new CursorFinisher(this.#xterm, writer).finish();
    return { stream: writer.stream, losses: writer.losses };
  }

  #drawScreen(buffer: ScreenBuffer): void {
    const isNormal = buffer === this.#xterm.normal;
    this.#writer.write(this.#passedOn.screenStream(isNormal ? 'normal' : 'alternate'));
    this.#writer.writeMoving(tabStream(buffer, this.#cols));
    this.#drawer.drawBuffer(buffer, buffer === this.#xterm.active ? this.#openLinkId : 0);
    if (hasSavedCursor(buffer) || this.#writer.attributes.hasUsedSavedCursor) {
      saveCursor(this.#xterm, this.#writer, buffer);
    }
    this.#writer.attributes.hasUsedSavedCursor = false;
  }
}
