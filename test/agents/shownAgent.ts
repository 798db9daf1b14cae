import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, AgentStatus } from '../../src/agents/common/events/events.ts';
import { LiveSessions } from '../../src/agents/node/capture/liveSessions.ts';
import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { processes, until, type LaunchedSession } from '../support/ah.ts';
import type { AgentLab, RecordWhere } from './agentLab.ts';

/** Full-screen programs treat keys that arrive too fast as a paste. */
const KEY_PAUSE_MS = 500;
/** The delay between typed keys. */
const COMMAND_KEY_MS = 60;
/** An agent reports a prompt within this time; after that, the prompt was lost. */
const REPORTED_MS = 20_000;
const ECHO_MS = 5000;
const CLEAR_LINE = '\x15';

/** A status that was shown, and the delay since its evidence. */
interface Shown {
  readonly status: AgentStatus;
  readonly lateMs: number | undefined;
}

/** A full-screen agent in a recorded terminal, followed as in the editor. */
export class ShownAgent {
  readonly session: LaunchedSession;
  readonly events: AgentEvent[] = [];
  readonly shown: Shown[] = [];
  readonly #lab: AgentLab;
  readonly #client: RecorderClient;
  readonly #live = new LiveSessions();
  #output = '';
  /** The length of the output before the last prompt. */
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
      // Ignores transcripts, since the agent decides when to write them.
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

  /** The present status. */
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

  /** All output without escape sequences. */
  get screenText(): string {
    return this.#output.replace(ESCAPES, '');
  }

  async untilScreen(pattern: RegExp, timeoutMs = 120_000): Promise<void> {
    await this.#until(() => pattern.test(this.screenText), `${pattern} on the screen`, timeoutMs);
  }

  /** Waits until the question is on the screen and accepts keys. */
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

  /** Ignores spaces, since the program positions each word separately. */
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

  /** Sends a prompt, and waits until the agent has accepted it. */
  async say(text: string): Promise<void> {
    const { provider } = this.#lab;
    const asked = (): number => provider.scripted.length;
    const prompts = (): number => this.events.filter(({ kind }) => kind === 'user.prompt').length;
    const before = { asked: asked(), prompts: prompts() };
    const isReported = (): boolean => asked() > before.asked || prompts() > before.prompts;
    for (let tries = 1; ; tries++) {
      this.#saidAt = this.#output.length;
      // Some agents treat fast keys as a paste, and may deliver them twice. A real paste arrives
      // once.
      this.type(this.#lab.setup.takesPastes ? `\x1b[200~${text}\x1b[201~` : text);
      // Early keys are lost, and an early Enter becomes a part of the paste.
      const isThere = (): boolean => this.#hasSaid(text, this.#saidAt);
      await until(isThere, 'what was typed', ECHO_MS).catch(() => {});
      await sleep(KEY_PAUSE_MS);
      this.type('\r');
      try {
        await until(isReported, `the prompt "${text}"`, REPORTED_MS);
        return;
      } catch (error) {
        if (tries === 4) throw error;
        this.type(CLEAR_LINE);
        await sleep(KEY_PAUSE_MS);
      }
    }
  }

  /**
   * Types a command for the program itself, key by key, since some don't accept a pasted command.
   */
  async command(text: string): Promise<void> {
    for (const key of text) {
      this.type(key);
      await sleep(COMMAND_KEY_MS);
    }
    await sleep(KEY_PAUSE_MS);
    this.type('\r');
  }

  /** Kills the program, as a crash would. */
  crash(): void {
    const [recorder] = this.#lab.recorders;
    // The recorder's child with a terminal of its own.
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

/** Fields of `/proc/PID/stat`: state, parent, group, session and others. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return []; // The process ended meanwhile.
  }
}

/** Escape sequences. */
const ESCAPES = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
