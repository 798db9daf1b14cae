import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { reportFailure } from '../commandRegistry.ts';
import { configuration } from '../configuration.ts';
import { DeadTerminalTabs } from './deadTerminalTabs.ts';
import { attachCommand, installCli } from './installedCli.ts';
import { writeLaunchNotes, prepareSession, type SessionPaths } from './launchSession.ts';
import { StartupFocusGuard } from './startupFocusGuard.ts';
import type { RecordedCommand } from './recordedCommand.ts';
import { RecordedTerminal } from './recordedTerminal.ts';
import { isRunning, sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { TerminalColumns, type PlacedTerminal } from './terminalColumns.ts';
import { TerminalFocus } from './terminalFocus.ts';
import { isShownHere, workspaceKey } from '../workspaceKey.ts';

/** Without a color: VS Code can't change it when the program ends. */
const ICON = new vscode.ThemeIcon('record');

const FLUSH_MS = 50;
/** Separates a session's name and its status in a title. */
const STATE_SEPARATOR = ' · ';
const SYMBOL = /^\$\([\w~-]+\)\s/;
/** A no-break space, because some parts of the UI drop a normal space after an icon. */
const SYMBOL_SPACE = '\u00a0';

/** The status of a session in the title of its terminal. */
export interface SessionState {
  readonly words: string;
  /** Icon in the form `$(name)`. */
  readonly symbol: string;
}

type TerminalPlace = vscode.TerminalLocation | vscode.TerminalEditorLocationOptions;

interface ShownSession {
  /** Undefined until the recorder has started. */
  session: { readonly id: string; readonly folder: string } | undefined;
  isInFront: boolean;
  /** The title of the tab. */
  title: string;
  readonly isFromProfile: boolean;
  /** Stops the recorder if the terminal closes before it was open. */
  abandon?(): void;
}

/** The terminals of this window that show recorded sessions. */
export class SessionTerminals implements Disposable {
  readonly #paths: SessionPaths;
  readonly #store: SessionStore;
  readonly #log: vscode.LogOutputChannel;
  readonly #resources = new DisposableStore();
  readonly #shown = new Map<RecordedTerminal, ShownSession>();
  readonly #focus: TerminalFocus;
  readonly #columns: TerminalColumns;
  readonly #deadTabs: DeadTerminalTabs;
  #focusGuard: StartupFocusGuard | undefined;
  readonly #detached = this.#resources.add(new vscode.EventEmitter<Session>());
  readonly #shownInFront = this.#resources.add(new vscode.EventEmitter<Session>());

  /** Fires when the terminal in front shows a session that was started, opened or found running. */
  readonly onDidShow = this.#shownInFront.event;

  /** Fires when the user closed the terminal of a session that is still running. */
  readonly onDidDetach = this.#detached.event;

  /** Fires when the result of {@link hasFocus} may have changed. */
  get onDidChangeFocus() {
    return this.#focus.onDidChange;
  }

  constructor(
    paths: SessionPaths,
    store: SessionStore,
    log: vscode.LogOutputChannel,
    memento: vscode.Memento,
  ) {
    this.#paths = paths;
    this.#store = store;
    this.#log = log;
    this.#deadTabs = this.#resources.add(new DeadTerminalTabs(log));
    this.#columns = this.#resources.add(new TerminalColumns(memento, () => this.#placed()));
    this.#focus = this.#resources.add(new TerminalFocus());
    this.#resources.add(
      vscode.window.onDidCloseTerminal((terminal) => void this.#afterClose(terminal)),
    );
    this.#resources.add(
      vscode.window.onDidOpenTerminal((terminal) => {
        // VS Code does not open the panel for a terminal that it creates from a profile.
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

  /** Starts recording in a new terminal and shows it. */
  record(command: RecordedCommand): void {
    vscode.window.createTerminal(this.#newSession(command)).show();
  }

  /** Starts recording in a terminal that VS Code creates from a profile. */
  profile(command: RecordedCommand): vscode.TerminalProfile {
    return new vscode.TerminalProfile(this.#newSession(command, true));
  }

  /** Shows the terminal of a running session; creates one if this window has none. */
  async attach(session: Session): Promise<void> {
    if (!isRunning(session)) {
      throw new UserError('not-running', vscode.l10n.t('This session has ended.'));
    }
    const shown = this.#terminalOf(session.meta.id) ?? this.#create(session);
    shown.show();
    this.#focus.entered();
    await noteShown(session.folder, true);
    this.#shownInFront.fire(session);
  }

  /** Shows again all running sessions that a window of this workspace showed when it closed. */
  async reattach(): Promise<void> {
    await this.#deadTabs.closeRestored();
    const lost = this.#store.sessions.filter(
      (session) => isRunning(session) && isShownHere(session) && !this.#terminalOf(session.meta.id),
    );
    for (const session of lost.reverse()) {
      closeDeadTerminals(sessionName(session));
      const terminal = this.#create(session, this.#lastPlace(session));
      if (session.notes.isInFront) {
        this.#focusGuard = new StartupFocusGuard(terminal);
        this.#shownInFront.fire(session);
      }
      this.#log.info(`Attached to session ${session.meta.id} again.`);
    }
  }

  /** Marks the current line in all terminals that show a session. */
  mark(id: string): void {
    for (const [terminal, { session }] of this.#shown) if (session?.id === id) terminal.mark();
  }

  /** Closes the terminal that shows a session, if there is one. */
  close(id: string): void {
    this.#terminalOf(id)?.dispose();
  }

  /** Whether a terminal of this window shows the session. */
  shows(id: string): boolean {
    return this.#terminalOf(id) !== undefined;
  }

  /** Whether the session's terminal has the focus, as far as VS Code reports it. */
  hasFocus(id: string): boolean {
    const terminal = this.#terminalOf(id);
    return terminal !== undefined && this.#focus.isIn(terminal);
  }

  /**
   * Shows a session's status in the title of its terminal. VS Code can't change a terminal's icon,
   * but renders icons in titles of the panel (not of editor tabs).
   */
  setState(session: Session, state: SessionState | undefined): void {
    const [pty, shown] =
      [...this.#shown].find(([, each]) => each.session?.id === session.meta.id) ?? [];
    if (!pty || !shown) return;
    const name = sessionName(session);
    const symbol = state && !isInEditor(shown.title) ? `${state.symbol}${SYMBOL_SPACE}` : '';
    const title = state ? `${symbol}${name}${STATE_SEPARATOR}${state.words}` : name;
    if (title === shown.title) return;
    shown.title = title;
    pty.rename(title);
  }

  /** @returns the session that a terminal shows */
  sessionIn(terminal: vscode.Terminal | undefined): Session | undefined {
    const id = this.#shownIn(terminal)?.[1].session?.id;
    return id === undefined ? undefined : this.#store.get(id);
  }

  /** Writes into each terminal how to attach again, in case the extension does not start again. */
  async showAttachCommands(): Promise<void> {
    let isShown = false;
    for (const [terminal, { session }] of this.#shown) {
      if (!session) continue;
      const text = vscode.l10n.t(
        'The session is still running. To attach to it: {0}',
        attachCommand(session.id),
      );
      terminal.showDetached(text);
      isShown = true;
    }
    // VS Code forwards output with a delay, and drops it when this process ends.
    if (isShown) await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
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
      isInFront: false,
      title: command.name,
      isFromProfile,
    };
    const prepared = prepareSession(this.#paths, command);
    shown.abandon = () => void prepared.then((session) => session.abandon()).catch(() => undefined);
    prepared.catch(() => undefined); // The terminal shows the error.
    const pty = this.#terminal(shown, async (size) => {
      const { client, id, folder } = await (await prepared).begin(size);
      shown.session = { id, folder };
      this.#log.info(`Recording ${command.cmd.join(' ')} as session ${id}.`);
      void reportFailure(vscode.l10n.t('Recording'), this.#log, async () => {
        await writeLaunchNotes(folder, command);
        await installCli(this.#paths.commandLineFile);
        await this.#noteInFront(vscode.window.activeTerminal);
        await this.#store.refresh();
        const session = this.#store.get(id);
        if (session) this.#shownInFront.fire(session);
      });
      return { client, from: 'start' };
    });
    const location = terminalLocation();
    return { name: command.name, pty, iconPath: ICON, location };
  }

  #create(session: Session, location = terminalLocation()): vscode.Terminal {
    const { id, hostSocket } = session.meta;
    const name = sessionName(session);
    const shown: ShownSession = {
      session: { id, folder: session.folder },
      isInFront: false,
      title: name,
      isFromProfile: false,
    };
    const pty = this.#terminal(shown, async () => ({
      client: await RecorderClient.connect(hostSocket),
      from: 'state',
    }));
    return vscode.window.createTerminal({ name, pty, iconPath: ICON, location });
  }

  /**
   * Where a session's terminal was when the window closed. It takes the focus only if it was in
   * front, in the column that VS Code focuses.
   */
  #lastPlace({ meta, notes }: Session): TerminalPlace {
    const location = terminalLocation();
    const viewColumn = this.#columns.columnOf(meta.id);
    if (location !== vscode.TerminalLocation.Editor || viewColumn === undefined) return location;
    const isFocused = vscode.window.tabGroups.activeTabGroup.viewColumn === viewColumn;
    return { viewColumn, preserveFocus: !(isFocused && notes.isInFront) };
  }

  #placed(): PlacedTerminal[] {
    const [active] = this.#shownIn(vscode.window.activeTerminal) ?? [];
    return [...this.#shown].flatMap(([pty, { session, title }]) =>
      session ? [{ id: session.id, title, isActive: pty === active }] : [],
    );
  }

  #terminal(
    shown: ShownSession,
    connect: ConstructorParameters<typeof RecordedTerminal>[0]['connect'],
  ): RecordedTerminal {
    const { scrollbackLines } = configuration();
    const waitingText = shown.session
      ? vscode.l10n.t('Connecting to the session…')
      : vscode.l10n.t('Taking the first snapshot before the program starts…');
    const options = { connect, waitingText, scrollbackLines, log: this.#log };
    const pty = new RecordedTerminal(options);
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
    // Ignore terminals that close with their window: they come back with it.
    if (terminal.exitStatus?.reason !== vscode.TerminalExitReason.User || !shown.session) return;
    await noteShown(shown.session.folder, false);
    await this.#store.refresh();
    const session = this.#store.get(shown.session.id);
    if (session && isRunning(session)) this.#detached.fire(session);
  }

  /**
   * Writes again which sessions this window shows: another window with the same workspace key may
   * have closed its terminal of a session and removed the note.
   */
  async #noteShownAgain(): Promise<void> {
    const isForgotten = (session: Session | undefined): session is Session =>
      session !== undefined && isRunning(session) && !isShownHere(session);
    const forgotten = () =>
      [...this.#shown.values()].map(({ session }) => session && this.#store.get(session.id));
    if (!forgotten().some(isForgotten)) return;
    // In an extension host that lost its window, this waits forever, so it writes no notes.
    await vscode.commands.executeCommand('noop');
    for (const { folder } of forgotten().filter(isForgotten)) await noteShown(folder, true);
  }

  /**
   * Notes immediately which terminal is in front, because a closing window has no time for that.
   */
  async #noteInFront(terminal: vscode.Terminal | undefined): Promise<void> {
    const front = this.#shownIn(terminal)?.[1];
    if (!terminal || this.#focusGuard?.overrides(terminal)) return;
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

function terminalLocation(): TerminalPlace {
  return configuration().terminalLocation === 'editor'
    ? vscode.TerminalLocation.Editor
    : vscode.TerminalLocation.Panel;
}

/**
 * Whether a terminal is in the editor area. VS Code lists its tab a moment after the terminal
 * opens; until then the setting decides.
 */
function isInEditor(title: string): boolean {
  return configuration().terminalLocation === 'editor' || isEditorTab(title);
}

function isEditorTab(title: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input, label }) => input instanceof vscode.TabInputTerminal && label === title),
  );
}

/**
 * Closes terminals that a crashed extension host left behind. A shell that VS Code restores may
 * have the same title, but its creation options have no `name`.
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
