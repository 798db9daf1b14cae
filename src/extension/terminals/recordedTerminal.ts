import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import type { RecorderClient } from '../../sessions/node/recorderClient.ts';
import type { ProgramExit } from '../../sessions/common/recorderProtocol.ts';
import { showInformation, showWarning } from '../messages.ts';
import { TerminalFeed, WINDOW_BYTES } from './terminalFeed.ts';
import { isOnlyReplies, isTyped } from './terminalReplies.ts';

/** The connection of a terminal to its session. */
export interface SessionConnection {
  readonly client: RecorderClient;
  /**
   * `start`: shows all output from the beginning. `state`: shows the current screen of a running
   * program.
   */
  readonly from: 'start' | 'state';
}

export interface RecordedTerminalOptions {
  connect(size: TerminalSize): Promise<SessionConnection>;
  /** Text to show while connecting takes long. */
  readonly waitingText: string;
  readonly scrollbackLines: number;
  readonly log: vscode.LogOutputChannel;
}

/** Size to use until VS Code has laid out the terminal. */
const DEFAULT_SIZE: TerminalSize = { cols: 80, rows: 24 };
/**
 * Ends an override: VS Code uses the smaller of override and layout. It ignores `undefined`, which
 * its documentation names for this.
 */
const UNLIMITED: vscode.TerminalDimensions = { columns: 10_000, rows: 10_000 };
/** Delay before `waitingText` is shown: a faster start needs no explanation. */
const WAITING_MS = 1500;
/** Leaves the alternate screen, stops mouse reports, shows the cursor and resets attributes. */
const RESET_MODES = '\u0018\u001b[?47l\u001b[?1000;1002;1003;1006;2004l\u001b[?25h\u001b[0m';

/**
 * A terminal that shows a recorded session. The session's recorder keeps running when the terminal
 * closes.
 */
export class RecordedTerminal implements vscode.Pseudoterminal {
  readonly #options: RecordedTerminalOptions;
  readonly #resources = new DisposableStore();
  readonly #written = this.#resources.add(new vscode.EventEmitter<string>());
  readonly #closed = this.#resources.add(new vscode.EventEmitter<number | void>());
  readonly #overridden = this.#resources.add(new vscode.EventEmitter<vscode.TerminalDimensions>());
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
  /** Input typed before the terminal is connected; it is sent first. */
  #earlyInput: string[] | undefined = [];
  #isAnswering = true;
  /** The message below the last screen; set once the session has ended. */
  #endMessage: string | undefined;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidOverrideDimensions = this.#overridden.event;
  readonly onDidChangeName = this.#renamed.event;
  /** Fires when the user typed. */
  readonly onDidType = this.#typed.event;
  /** Fires when the program ended or the connection to the recorder was lost. */
  readonly onDidEnd = this.#exited.event;

  constructor(options: RecordedTerminalOptions) {
    this.#options = options;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    if (dimensions) this.#size = sizeOf(dimensions);
    void this.#connect().catch((error: unknown) => {
      this.#options.log.error(`Can't open a recorded terminal: ${messageOf(error)}`);
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
    if (input === '' || (!this.#isAnswering && isOnlyReplies(input))) return;
    const isKey = isTyped(input);
    if (isKey) this.#typed.fire();
    if (this.#endMessage !== undefined) {
      if (isKey) this.#closed.fire();
      return;
    }
    if (this.#earlyInput) {
      this.#earlyInput.push(input);
      return;
    }
    this.#claimSize();
    this.#client?.input(Buffer.from(input));
  }

  /** Changes the title of the tab. */
  rename(name: string): void {
    if (!this.#resources.isDisposed) this.#renamed.fire(name);
  }

  async #connect(): Promise<void> {
    const size = this.#size ?? DEFAULT_SIZE;
    const waiting = setTimeout(() => {
      if (!this.#resources.isDisposed) this.#written.fire(dimmed(this.#options.waitingText));
    }, WAITING_MS);
    // Nothing has to remove the waiting text: the first state from the recorder clears the
    // terminal.
    const connecting = this.#options.connect(size).finally(() => clearTimeout(waiting));
    const { client, from } = await connecting;
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
      historyLines: this.#options.scrollbackLines,
    });
    this.#claimSize();
    for (const input of this.#earlyInput ?? []) client.input(Buffer.from(input));
    this.#earlyInput = undefined;
  }

  async #join(client: RecorderClient): Promise<void> {
    // Only the first client answers terminal queries, so that the program gets one answer.
    this.#isAnswering = (await client.status()).clients === 0;
    // Resize before attaching, so that the state arrives in this size.
    if (this.#size) client.resize(this.#size.cols, this.#size.rows);
  }

  #listen(client: RecorderClient): void {
    client.onOutput((bytes) => this.#feed.output(bytes));
    client.onState(({ state, cols, rows }) => {
      this.#follow({ cols, rows });
      this.#feed.reset(state);
      // If output was skipped, the final screen may arrive after the end and clears the message:
      // repeat it.
      if (this.#endMessage !== undefined) this.#written.fire(this.#endMessage);
    });
    client.onDidResize((size) => this.#follow(size));
    client.onDidChangeTrouble((message) => this.#reportTrouble(message));
    client.onDidEnd((exit) => this.#end(exit, endText(exit)));
    client.onDidExit((exit) => this.#end(exit, endText(exit)));
    client.onDidClose(() =>
      this.#end('lost', vscode.l10n.t('The recorder stopped. Its recording is saved.')),
    );
  }

  /**
   * Gives the program's screen the size of this terminal, because the user is using it. Other
   * terminals adopt that size in {@link #follow}.
   */
  #claimSize(): void {
    const { cols, rows } = this.#size ?? {};
    if (cols === undefined || rows === undefined || this.#endMessage !== undefined) return;
    if (cols === this.#programSize?.cols && rows === this.#programSize.rows) return;
    this.#client?.resize(cols, rows);
  }

  #follow(size: TerminalSize): void {
    this.#programSize = size;
    const isOwn = size.cols === this.#size?.cols && size.rows === this.#size.rows;
    this.#overridden.fire(isOwn ? UNLIMITED : { columns: size.cols, rows: size.rows });
  }

  #reportTrouble(message: string | null): void {
    if (message === null) {
      void showInformation(vscode.l10n.t('The recorder can write the recording again.'));
    } else {
      const text = vscode.l10n.t('Can’t write the recording: {0}. Retrying.', message);
      void showWarning(text);
    }
  }

  /** Marks the current line, so that "Scroll to Previous Command" stops there. */
  mark(): void {
    if (this.#endMessage === undefined && !this.#resources.isDisposed) this.#feed.mark();
  }

  /** Writes a message below the screen when this window detaches from a running program. */
  showDetached(text: string): void {
    if (this.#endMessage !== undefined || this.#resources.isDisposed) return;
    this.#written.fire(`${RESET_MODES}\r\n\u001b[7m ${text} \u001b[0m\r\n`);
  }

  /** Shows a message below the last screen; the next key closes the terminal. */
  #end(how: ProgramExit | 'lost', text: string): void {
    if (this.#endMessage !== undefined || this.#resources.isDisposed) return;
    const close = vscode.l10n.t('Press any key to close.');
    this.#endMessage = `${RESET_MODES}\r\n\u001b[7m ${text} \u001b[0m ${dimmed(close)}\r\n`;
    this.#written.fire(this.#endMessage);
    this.#exited.fire(how);
  }
}

function dimmed(text: string): string {
  return `\u001b[2m${text}\u001b[0m`;
}

function endText({ exitCode, signal, stoppedByUser }: ProgramExit): string {
  if (stoppedByUser) return vscode.l10n.t('Recorded. Stopped.');
  if (signal > 0) return vscode.l10n.t('Recorded. Ended by signal {0}.', signal);
  return vscode.l10n.t('Recorded. Ended with exit code {0}.', exitCode);
}

function sizeOf({ columns, rows }: vscode.TerminalDimensions): TerminalSize {
  return { cols: Math.max(columns, 1), rows: Math.max(rows, 1) };
}
