import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { TerminalSize } from '../../sessions/node/launchSpec.ts';
import type { RecorderClient } from '../../sessions/node/recorderClient.ts';
import type { ProgramExit } from '../../sessions/common/recorderProtocol.ts';
import { showInformation, showWarning } from '../messages.ts';
import { TerminalFeed, WINDOW_BYTES } from './terminalFeed.ts';
import { isOnlyReplies } from './terminalReplies.ts';

/** How a terminal gets to its session once it knows its size. */
export interface SessionConnection {
  readonly client: RecorderClient;
  /** `start`: this terminal is the program's first. `state`: the program has been running without it. */
  readonly from: 'start' | 'state';
}

export interface RecordedTerminalOptions {
  connect(size: TerminalSize): Promise<SessionConnection>;
  readonly scrollbackLines: number;
  readonly log: vscode.LogOutputChannel;
}

/** Until the editor lays a terminal out it has no size of its own. */
const DEFAULT_SIZE: TerminalSize = { cols: 80, rows: 24 };
const MAX_HISTORY_LINES = 100_000;
/**
 * Off the alternate screen (where the cursor stays as it is if it is off already), with no attributes left over, the cursor
 * shown, and nobody reporting mouse moves.
 */
const CALM = '\u0018\u001b[?47l\u001b[?1000;1002;1003;1006;2004l\u001b[?25h\u001b[0m';

/** A terminal that shows a recorded session: a client of its recorder, which lives on when the terminal goes. */
export class RecordedTerminal implements vscode.Pseudoterminal {
  readonly #options: RecordedTerminalOptions;
  readonly #resources = new DisposableStore();
  readonly #written = this.#resources.add(new vscode.EventEmitter<string>());
  readonly #closed = this.#resources.add(new vscode.EventEmitter<number | void>());
  readonly #overridden = this.#resources.add(
    new vscode.EventEmitter<vscode.TerminalDimensions | undefined>(),
  );
  readonly #renamed = this.#resources.add(new vscode.EventEmitter<string>());
  readonly #typed = this.#resources.add(new vscode.EventEmitter<void>());
  readonly #exited = this.#resources.add(new vscode.EventEmitter<ProgramExit | 'lost'>());
  readonly #feed = new TerminalFeed(
    (text) => this.#written.fire(text),
    (bytes) => this.#client?.acknowledge(bytes),
  );
  #client: RecorderClient | undefined;
  #size: TerminalSize | undefined;
  #programSize: TerminalSize | undefined;
  /** What was typed until the session takes input: what comes later must not overtake it. */
  #typedAhead: string[] | undefined = [];
  #isAnswering = true;
  /** What is said below the last screen. */
  #lastWords: string | undefined;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidOverrideDimensions = this.#overridden.event;
  readonly onDidChangeName = this.#renamed.event;
  /** A person typed into it. */
  readonly onDidType = this.#typed.event;
  /** The program ended, or its recorder went away without a word. */
  readonly onDidEnd = this.#exited.event;

  constructor(options: RecordedTerminalOptions) {
    this.#options = options;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    if (dimensions) this.#size = sizeOf(dimensions);
    void this.#connect().catch((error: unknown) => {
      this.#options.log.error(`A recorded terminal could not be opened: ${messageOf(error)}`);
      this.#end('lost', messageOf(error));
    });
  }

  close(): void {
    this.#client?.dispose();
    this.#resources.dispose();
  }

  setDimensions(dimensions: vscode.TerminalDimensions): void {
    this.#size = sizeOf(dimensions);
    this.#claimSize();
  }

  handleInput(data: string): void {
    const input = this.#feed.takeReplies(data);
    const isReply = isOnlyReplies(input);
    if (input === '' || (!this.#isAnswering && isReply)) return;
    if (!isReply) this.#typed.fire();
    if (this.#lastWords !== undefined) {
      if (!isReply) this.#closed.fire();
      return;
    }
    if (this.#typedAhead) {
      this.#typedAhead.push(input);
      return;
    }
    this.#claimSize();
    this.#client?.input(Buffer.from(input));
  }

  /** Changes what its tab says. */
  rename(name: string): void {
    if (!this.#resources.isDisposed) this.#renamed.fire(name);
  }

  async #connect(): Promise<void> {
    const size = this.#size ?? DEFAULT_SIZE;
    const { client, from } = await this.#options.connect(size);
    if (this.#resources.isDisposed) return client.dispose();
    this.#client = client;
    this.#programSize = size;
    this.#listen(client);
    if (from === 'state') await this.#join(client);
    await client.attach({
      from,
      answersQueries: this.#isAnswering,
      lossless: false,
      windowBytes: WINDOW_BYTES,
      historyLines: Math.min(Math.max(this.#options.scrollbackLines, 0), MAX_HISTORY_LINES),
    });
    this.#claimSize();
    for (const input of this.#typedAhead ?? []) client.input(Buffer.from(input));
    this.#typedAhead = undefined;
  }

  async #join(client: RecorderClient): Promise<void> {
    // Who comes second does not answer what a program asks of its terminal: two answers are one too many.
    this.#isAnswering = (await client.status()).clients === 0;
    // Before attaching: the state that comes then is already laid out for this terminal.
    if (this.#size) client.resize(this.#size.cols, this.#size.rows);
  }

  #listen(client: RecorderClient): void {
    client.onOutput((bytes) => this.#feed.output(bytes));
    client.onState(({ state, cols, rows }) => {
      this.#follow({ cols, rows });
      this.#feed.reset(state);
      // The true screen of a flood that was passed over comes after its end.
      if (this.#lastWords !== undefined) this.#written.fire(this.#lastWords);
    });
    client.onDidResize((size) => this.#follow(size));
    client.onDidChangeTrouble((message) => this.#tellTrouble(message));
    client.onDidEnd((exit) => this.#end(exit, endText(exit)));
    client.onDidExit((exit) => this.#end(exit, endText(exit)));
    client.onDidClose(() =>
      this.#end('lost', vscode.l10n.t('The recorder stopped; what it wrote is kept.')),
    );
  }

  /** The terminal in use says how large the program's screen is; any other that shows it follows, see {@link #follow}. */
  #claimSize(): void {
    const { cols, rows } = this.#size ?? {};
    if (cols === undefined || rows === undefined || this.#lastWords !== undefined) return;
    if (cols === this.#programSize?.cols && rows === this.#programSize.rows) return;
    this.#client?.resize(cols, rows);
  }

  #follow(size: TerminalSize): void {
    this.#programSize = size;
    const isOwn = size.cols === this.#size?.cols && size.rows === this.#size.rows;
    this.#overridden.fire(isOwn ? undefined : { columns: size.cols, rows: size.rows });
  }

  #tellTrouble(message: string | null): void {
    if (message === null) {
      void showInformation(vscode.l10n.t('The recording is being written again.'));
    } else {
      const text = vscode.l10n.t('The recording cannot be written: {0}. Trying again.', message);
      void showWarning(text);
    }
  }

  /** Marks the line where the program is now as one that can be gone back to. */
  mark(): void {
    if (this.#lastWords === undefined && !this.#resources.isDisposed) this.#feed.mark();
  }

  /** Says below the screen why nothing comes any more from a program that goes on. */
  leave(text: string): void {
    if (this.#lastWords !== undefined || this.#resources.isDisposed) return;
    this.#written.fire(`${CALM}\r\n\u001b[7m ${text} \u001b[0m\r\n`);
  }

  /** Leaves the last screen to be read; the next key closes it. */
  #end(how: ProgramExit | 'lost', text: string): void {
    if (this.#lastWords !== undefined || this.#resources.isDisposed) return;
    const close = vscode.l10n.t('Press any key to close.');
    this.#lastWords = `${CALM}\r\n\u001b[7m ${text} \u001b[0m \u001b[2m${close}\u001b[0m\r\n`;
    this.#written.fire(this.#lastWords);
    this.#exited.fire(how);
  }
}

function endText({ exitCode, signal }: ProgramExit): string {
  if (signal > 0) return vscode.l10n.t('Recorded. Ended by signal {0}.', signal);
  return vscode.l10n.t('Recorded. Ended with exit code {0}.', exitCode);
}

function sizeOf({ columns, rows }: vscode.TerminalDimensions): TerminalSize {
  return { cols: Math.max(columns, 1), rows: Math.max(rows, 1) };
}
