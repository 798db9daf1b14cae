import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, AgentStatus } from '../../src/agents/common/events.ts';
import { LiveSessions } from '../../src/agents/node/capture/liveSessions.ts';
import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { processes, until, type LaunchedSession } from '../support/ah.ts';
import type { AgentLab, RecordWhere } from './agentLab.ts';

/** Full-screen programs take keys that come too fast for a paste. */
const KEY_PAUSE_MS = 500;
/** As a person types. */
const COMMAND_KEY_MS = 60;
/** Long enough for an agent to tell that it was told; after that it was not. */
const TOLD_MS = 20_000;
const ECHO_MS = 5000;
const CLEAR_LINE = '\x15';

/** A status that came up, and how long after what it was concluded from. */
interface Shown {
  readonly status: AgentStatus;
  readonly lateMs: number | undefined;
}

/** A full-screen agent in a recorded terminal, followed as the editor follows it. */
export class ShownAgent {
  readonly session: LaunchedSession;
  readonly events: AgentEvent[] = [];
  readonly shown: Shown[] = [];
  readonly #lab: AgentLab;
  readonly #client: RecorderClient;
  readonly #live = new LiveSessions();
  #output = '';
  /** How much was printed before the last prompt. */
  #saidAt = 0;

  private constructor(lab: AgentLab, session: LaunchedSession, client: RecorderClient) {
    this.#lab = lab;
    this.session = session;
    this.#client = client;
  }

  static async start(
    lab: AgentLab,
    args: readonly string[],
    where: RecordWhere = {},
  ): Promise<ShownAgent> {
    const session = await lab.start(args, where);
    const client = await RecorderClient.connect(session.hostSocket);
    const agent = new ShownAgent(lab, session, client);
    await agent.#watch();
    return agent;
  }

  async #watch(): Promise<void> {
    const decoder = new TextDecoder();
    this.#client.onOutput((bytes) => {
      this.#output += decoder.decode(bytes, { stream: true });
      this.#client.acknowledge(bytes.length);
    });
    this.#live.onNews(({ status, statusBefore, events }) => {
      this.events.push(...events);
      if (status.status === statusBefore.status) return;
      // What a transcript tells was so when the agent wrote it down, which is up to the agent.
      const evidence = events.findLast(({ source }) => source !== 'transcript');
      const lateMs = evidence && Date.now() - Number(evidence.timeNs / 1_000_000n);
      this.shown.push({ status: status.status, lateMs });
    });
    const { id, folder, recording } = this.session;
    this.#live.follow([{ id, folder, recording }]);
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await this.#client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
  }

  type(text: string): void {
    this.#client.input(new TextEncoder().encode(text));
  }

  /** As everybody sees it now. */
  get status(): AgentStatus | undefined {
    return this.#live.status(this.session.id)?.status;
  }

  async untilStatus(status: AgentStatus, timeoutMs = 60_000): Promise<void> {
    await this.#until(() => this.status === status, `the status ${status}`, timeoutMs);
  }

  async staysFor(milliseconds: number, status: AgentStatus): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      assert.equal(this.status, status);
      await sleep(100);
    }
  }

  /** Everything that was ever printed, without what is no word. */
  get screenText(): string {
    return this.#output.replace(ESCAPES, '');
  }

  async untilScreen(pattern: RegExp, timeoutMs = 120_000): Promise<void> {
    await this.#until(() => pattern.test(this.screenText), `${pattern} on the screen`, timeoutMs);
  }

  /** The question that it is said to ask is there, and takes keys. */
  async untilAsks(): Promise<void> {
    await this.untilStatus('waiting_approval');
    const { question } = this.#lab.setup;
    const isAsked = (): boolean => this.#hasSaid(question, this.#saidAt);
    await this.#until(isAsked, `"${question}" on the screen`, 30_000);
    await sleep(KEY_PAUSE_MS);
  }

  async #until(isSo: () => boolean, what: string, timeoutMs: number): Promise<void> {
    await until(isSo, what, timeoutMs).catch((error: unknown) => {
      const shows = this.screenText.replace(/\s+/g, ' ').slice(-1500);
      const last = this.events.slice(-12).map(({ kind, source }) => `${kind} (${source})`);
      const told = `${last.join(', ')}; statuses ${this.shown.map(({ status }) => status).join(', ')}`;
      throw new Error(`It is ${this.status} after ${told}; it shows: ${shows}`, { cause: error });
    });
  }

  /** Words are put in their places one by one: the spaces between them are not to be relied on. */
  #hasSaid(words: string, from: number): boolean {
    const said = this.#output.slice(from).replace(ESCAPES, '').replace(/\s/g, '');
    return said.includes(words.replace(/\s/g, ''));
  }

  async untilEvent(
    wanted: (event: AgentEvent) => boolean,
    what: string,
    timeoutMs = 60_000,
  ): Promise<void> {
    await this.#until(() => this.events.some(wanted), what, timeoutMs);
  }

  /** Tells it something, and returns when the provider is asked, or is going to be. */
  async say(text: string): Promise<void> {
    const { provider } = this.#lab;
    const asked = (): number => provider.scripted.length;
    const prompts = (): number => this.events.filter(({ kind }) => kind === 'user.prompt').length;
    const before = { asked: asked(), prompts: prompts() };
    const isTold = (): boolean => asked() > before.asked || prompts() > before.prompts;
    for (let tries = 1; ; tries++) {
      this.#saidAt = this.#output.length;
      // Some take keys that come at once for a paste, and now and then twice: what is said to be one is taken once.
      this.type(this.#lab.setup.takesPastes ? `\x1b[200~${text}\x1b[201~` : text);
      // Keys typed too early are lost, and an Enter that comes too soon is taken for a part of a paste.
      const isThere = (): boolean => this.#hasSaid(text, this.#saidAt);
      await until(isThere, 'what was typed', ECHO_MS).catch(() => {});
      await sleep(KEY_PAUSE_MS);
      this.type('\r');
      try {
        await until(isTold, `the prompt "${text}"`, TOLD_MS);
        return;
      } catch (error) {
        if (tries === 4) throw error;
        this.type(CLEAR_LINE);
        await sleep(KEY_PAUSE_MS);
      }
    }
  }

  /** A word for the program itself, which tells no model. What is pasted is no command to some: key by key. */
  async command(text: string): Promise<void> {
    for (const key of text) {
      this.type(key);
      await sleep(COMMAND_KEY_MS);
    }
    await sleep(KEY_PAUSE_MS);
    this.type('\r');
  }

  /** As a crash ends it: without a word. */
  crash(): void {
    const [recorder] = this.#lab.recorders;
    // Of the recorder's children the one that has a terminal of its own.
    const program = processes().find((pid) => {
      const [, parent, , session] = statOf(pid);
      return parent === String(recorder) && session === String(pid);
    });
    assert.ok(program !== undefined, 'the program runs');
    process.kill(program, 'SIGKILL');
  }

  async dispose(): Promise<void> {
    this.#live.dispose();
    await this.#client.stop().catch(() => {});
    this.#client.dispose();
    await this.#lab.settled();
  }
}

/** State, parent, group, session, and more. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return []; // It ended meanwhile.
  }
}

/** Sequences that are not words. */
const ESCAPES = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
