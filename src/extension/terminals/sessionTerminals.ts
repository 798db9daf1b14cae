import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { reportFailure } from '../commandRegistry.ts';
import { configuration } from '../configuration.ts';
import { attachCommandLine, keepCommandLine } from './installedCli.ts';
import { noteLaunch, readySession, type SessionPlaces } from './launchSession.ts';
import { StartupFocusGuard } from './startupFocusGuard.ts';
import type { RecordedCommand } from './recordedCommand.ts';
import { RecordedTerminal } from './recordedTerminal.ts';
import { isRunning, sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { TerminalFocus } from './terminalFocus.ts';
import { isShownHere, workspaceKey } from '../workspaceKey.ts';

const ICON = new vscode.ThemeIcon('record');
const COLOR = new vscode.ThemeColor('terminal.ansiRed');

const LAST_WORDS_MS = 50;
/** Between the name of a session and how it is. */
const STATE_SEPARATOR = ' · ';
const SYMBOL = /^\$\([\w~-]+\)\s/;
/** A plain one between an icon and a text is not shown everywhere. */
const SYMBOL_SPACE = '\u00a0';

/** How a session is, for the tab of its terminal. */
export interface SessionState {
  readonly words: string;
  /** `$(name)` of an icon. */
  readonly symbol: string;
}

interface ShownSession {
  /** Known once the recorder has started. */
  session: { readonly id: string; readonly folder: string } | undefined;
  isInFront: boolean;
  /** What its tab says. */
  title: string;
  readonly isFromProfile: boolean;
  /** Lets go of what was got ready for a terminal that closes before it opens. */
  abandon?(): void;
}

/** The terminals of this window that show recorded sessions. */
export class SessionTerminals implements Disposable {
  readonly #places: SessionPlaces;
  readonly #store: SessionStore;
  readonly #log: vscode.LogOutputChannel;
  readonly #resources = new DisposableStore();
  readonly #shown = new Map<RecordedTerminal, ShownSession>();
  readonly #focus: TerminalFocus;
  #keptFront: StartupFocusGuard | undefined;
  readonly #detached = this.#resources.add(new vscode.EventEmitter<Session>());

  /** A person closed the terminal of a session that runs on. */
  readonly onDidDetach = this.#detached.event;

  /** Where the person is may have changed: see {@link hasFocus}. */
  get onDidChangeFocus() {
    return this.#focus.onDidChange;
  }

  constructor(places: SessionPlaces, store: SessionStore, log: vscode.LogOutputChannel) {
    this.#places = places;
    this.#store = store;
    this.#log = log;
    this.#focus = this.#resources.add(new TerminalFocus());
    this.#resources.add(
      vscode.window.onDidCloseTerminal((terminal) => void this.#afterClose(terminal)),
    );
    this.#resources.add(
      vscode.window.onDidOpenTerminal((terminal) => {
        // One that the editor made from a profile stays behind a closed panel otherwise.
        if (this.#shownIn(terminal)?.[1].isFromProfile) terminal.show();
      }),
    );
    this.#resources.add(
      vscode.window.onDidChangeActiveTerminal((terminal) => void this.#noteInFront(terminal)),
    );
    this.#resources.add(
      store.onDidChange(() => {
        this.#noteShownAgain().catch((error: unknown) => log.warn(messageOf(error)));
      }),
    );
  }

  /** Starts recording in a new terminal, in front. */
  record(command: RecordedCommand): void {
    const terminal = vscode.window.createTerminal({
      ...this.#newSession(command),
      location: terminalLocation(),
    });
    terminal.show();
  }

  /** The same for the editor's own menu, which makes the terminal itself. */
  profile(command: RecordedCommand): vscode.TerminalProfile {
    return new vscode.TerminalProfile(this.#newSession(command, true));
  }

  /** Shows a running session; the terminal that already does comes to the front. */
  async attach(session: Session): Promise<void> {
    if (!isRunning(session)) {
      throw new UserError('not-running', vscode.l10n.t('This session has ended.'));
    }
    const shown = this.#terminalOf(session.meta.id) ?? this.#create(session);
    shown.show();
    this.#focus.entered();
    await noteShown(session.folder, true);
  }

  /** Shows every running session that a window of this workspace showed when it went away. */
  reattach(): void {
    const lost = this.#store.sessions.filter(
      (session) => isRunning(session) && isShownHere(session) && !this.#terminalOf(session.meta.id),
    );
    for (const session of lost.reverse()) {
      closeDeadTerminals(sessionName(session));
      const terminal = this.#create(session);
      if (session.notes.isInFront) this.#keptFront = new StartupFocusGuard(terminal);
      this.#log.info(`Attached to session ${session.meta.id} again.`);
    }
  }

  /** Marks the place where a session is now, in every terminal of this window that shows it. */
  mark(id: string): void {
    for (const [terminal, { session }] of this.#shown) if (session?.id === id) terminal.mark();
  }

  /** Takes away the terminal that shows a session, if there is one. */
  close(id: string): void {
    this.#terminalOf(id)?.dispose();
  }

  /** Whether a terminal of this window shows the session. */
  shows(id: string): boolean {
    return this.#terminalOf(id) !== undefined;
  }

  /** Whether the person is in the session's terminal, as far as that can be told. */
  hasFocus(id: string): boolean {
    const terminal = this.#terminalOf(id);
    return terminal !== undefined && this.#focus.isIn(terminal);
  }

  /**
   * Says in the tab of a session's terminal how the session is. The icon of a terminal is set once, when it is made; but in
   * the panel a name may hold one, where an editor's tab would show it as text.
   */
  setState(session: Session, state: SessionState | undefined): void {
    const [pty, shown] =
      [...this.#shown].find(([, each]) => each.session?.id === session.meta.id) ?? [];
    if (!pty || !shown) return;
    const name = sessionName(session);
    const symbol = state && !isEditorTab(shown.title) ? `${state.symbol}${SYMBOL_SPACE}` : '';
    const title = state ? `${symbol}${name}${STATE_SEPARATOR}${state.words}` : name;
    if (title === shown.title) return;
    shown.title = title;
    pty.rename(title);
  }

  /** The session in a terminal. */
  sessionIn(terminal: vscode.Terminal | undefined): Session | undefined {
    const id = this.#shownIn(terminal)?.[1].session?.id;
    return id === undefined ? undefined : this.#store.get(id);
  }

  /** Says in each terminal how to get back to its session, in case this extension does not come back. */
  async leave(): Promise<void> {
    const left = [...this.#shown].filter(([, { session }]) => session !== undefined);
    for (const [terminal, { session }] of left) {
      const text = vscode.l10n.t(
        'It keeps running. Back to it: {0}',
        attachCommandLine(session!.id),
      );
      terminal.leave(text);
    }
    // The editor passes on what is written after a moment, and not at all once this process is gone.
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
  }

  dispose(): void {
    this.#resources.dispose();
    for (const [terminal, shown] of this.#shown) {
      shown.abandon?.();
      terminal.close();
    }
    this.#shown.clear();
  }

  #newSession(command: RecordedCommand, isFromProfile = false): vscode.ExtensionTerminalOptions {
    const shown: ShownSession = {
      session: undefined,
      ...{ isInFront: false, title: command.name, isFromProfile },
    };
    const readying = readySession(this.#places, command);
    readying.catch(() => undefined); // Told in the terminal.
    shown.abandon = () => void readying.then((session) => session.abandon()).catch(() => undefined);
    const pty = this.#terminal(shown, async (size) => {
      const { client, id, folder } = await (await readying).begin(size);
      shown.session = { id, folder };
      this.#log.info(`Recording ${command.cmd.join(' ')} as session ${id}.`);
      void reportFailure(vscode.l10n.t('Recording'), this.#log, async () => {
        await noteLaunch(folder, command);
        await keepCommandLine(this.#places.commandLineFile);
        await this.#noteInFront(vscode.window.activeTerminal);
        await this.#store.refresh();
      });
      return { client, from: 'start' };
    });
    return { name: command.name, pty, iconPath: ICON, color: COLOR };
  }

  #create(session: Session): vscode.Terminal {
    const { id, hostSocket } = session.meta;
    const name = sessionName(session);
    const shown: ShownSession = {
      session: { id, folder: session.folder },
      ...{ isInFront: false, title: name, isFromProfile: false },
    };
    const pty = this.#terminal(shown, async () => ({
      client: await RecorderClient.connect(hostSocket),
      from: 'state',
    }));
    const location = terminalLocation();
    return vscode.window.createTerminal({ name, pty, iconPath: ICON, color: COLOR, location });
  }

  #terminal(
    shown: ShownSession,
    connect: ConstructorParameters<typeof RecordedTerminal>[0]['connect'],
  ): RecordedTerminal {
    const { scrollbackLines } = configuration();
    const pty = new RecordedTerminal({ connect, scrollbackLines, log: this.#log });
    this.#shown.set(pty, shown);
    pty.onDidEnd(() => void this.#store.refresh());
    pty.onDidType(() => this.#focus.entered());
    return pty;
  }

  async #afterClose(terminal: vscode.Terminal): Promise<void> {
    const [pty, shown] = this.#shownIn(terminal) ?? [];
    if (!pty || !shown) return;
    this.#shown.delete(pty);
    shown.abandon?.();
    // A window that goes away closes its terminals too: those come back with it.
    if (terminal.exitStatus?.reason !== vscode.TerminalExitReason.User || !shown.session) return;
    await noteShown(shown.session.folder, false);
    await this.#store.refresh();
    const session = this.#store.get(shown.session.id);
    if (session && isRunning(session)) this.#detached.fire(session);
  }

  /** Another window of the same workspace may have closed its own terminal of a session that this one still shows. */
  async #noteShownAgain(): Promise<void> {
    const isForgotten = (session: Session | undefined): session is Session =>
      session !== undefined && isRunning(session) && !isShownHere(session);
    const forgotten = () =>
      [...this.#shown.values()].map(({ session }) => session && this.#store.get(session.id));
    if (!forgotten().some(isForgotten)) return;
    // Whoever has lost the window, for its connection is gone, does not get past this.
    await vscode.commands.executeCommand('noop');
    for (const { folder } of forgotten().filter(isForgotten)) await noteShown(folder, true);
  }

  /** Remembered at once: a window that goes away has no time for it. */
  async #noteInFront(terminal: vscode.Terminal | undefined): Promise<void> {
    const front = this.#shownIn(terminal)?.[1];
    if (!terminal || this.#keptFront?.putsBehind(terminal)) return;
    for (const shown of this.#shown.values()) {
      if (!shown.session || shown.isInFront === (shown === front)) continue;
      shown.isInFront = shown === front;
      await changeSessionNotes(shown.session.folder, { isInFront: shown.isInFront });
    }
  }

  #terminalOf(id: string): vscode.Terminal | undefined {
    return vscode.window.terminals.find(
      (terminal) => this.#shownIn(terminal)?.[1].session?.id === id,
    );
  }

  #shownIn(terminal: vscode.Terminal | undefined): [RecordedTerminal, ShownSession] | undefined {
    const options = terminal?.creationOptions;
    if (!options || !('pty' in options)) return undefined;
    return [...this.#shown].find(([pty]) => pty === options.pty);
  }
}

async function noteShown(folder: string, isShown: boolean): Promise<void> {
  const key = workspaceKey();
  await changeSessionNotes(folder, ({ shownIn = [] }) => ({
    shownIn: [...shownIn.filter((other) => other !== key), ...(isShown ? [key] : [])],
  }));
}

function terminalLocation(): vscode.TerminalLocation {
  return configuration().terminalLocation === 'editor'
    ? vscode.TerminalLocation.Editor
    : vscode.TerminalLocation.Panel;
}

function isEditorTab(title: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input, label }) => input instanceof vscode.TabInputTerminal && label === title),
  );
}

/**
 * An extension host that crashed leaves its terminals behind, with no program and nobody to feed them. A shell that the
 * editor brings back after a reload may be called the same, and tells no more of its program; but nobody gave it its name.
 */
function closeDeadTerminals(name: string): void {
  for (const terminal of vscode.window.terminals) {
    const options = terminal.creationOptions;
    const plain = terminal.name.replace(SYMBOL, '');
    const isNamed = plain === name || plain.startsWith(name + STATE_SEPARATOR);
    const isOwn = !('pty' in options) && options.name !== undefined;
    if (isNamed && isOwn && options.shellPath === undefined) terminal.dispose();
  }
}
