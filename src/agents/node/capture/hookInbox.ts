import { watch, type FSWatcher } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseFields } from '../../common/untrusted.ts';
import type { HookCall } from '../../common/adapter.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { makePrivateFolder } from '../../../platform/node/paths.ts';
import type { SystemClock } from '../../../platform/node/systemClock.ts';
import { HookPipes } from './hookPipes.ts';

const RELAY_FILE = 'relay.sh';
/** A notification may get lost. */
const POLL_MS = 1000;
/** A hook brings a tool's whole result; what is longer tells nobody more. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
/** Longer than the relay's own patience: what it has left by then is nobody's. */
const RECEIVE_MS = 10_000;
/** The second of a call's pipes is made last. Process, event, and how long the agent may be held up. */
const READY = /^(\d+-([A-Za-z]+)-(\d+))\.done$/;

/**
 * A shell and three small programs: a hook runs before and after every tool, and a runtime would take fifty times as long
 * to start. What a hook gets passes through a pipe, so that it is in no file, whoever is killed meanwhile. Who has to wait
 * for us waits for the end of the other pipe, which comes when we close it or are no more. If nobody takes the call in eight
 * seconds, which is less than agents allow their hooks, it is given up; whatever happens, the agent is told that all is well.
 * The empty line in front tells a pipe that nobody writes to yet from a hook that got nothing.
 */
const RELAY = `#!/bin/sh
umask 077
exec >/dev/null 2>&1 3<&0
call=\${0%/*}/$$-$1-\${2:-0}
mkfifo "$call" "$call.done" || exit 0
sleep 8 3<&- &
watch=$!
{
  { echo >&5; cat <&3 >&5; exec 5>&-; read -r _ <&4; } 4<"$call.done" 5>"$call"
  kill "$watch"
} &
work=$!
wait "$watch"
[ -p "$call" ] && { kill "$work"; rm -f "$call" "$call.done"; }
exit 0
`;

export interface HookInboxOptions {
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Called for one hook after the other; the agent waits until it is dealt with, where it was told to. */
  onCall(call: HookCall): void | Promise<void>;
  onTrouble?(error: unknown): void;
}

/** The folder through which hooks that are commands reach the recorder: two pipes per call, taken away when it is read. */
export class HookInbox implements Disposable {
  readonly folder: string;
  readonly #options: HookInboxOptions;
  /** Calls under way, by the names of their pipes. */
  readonly #calls = new Map<string, Promise<void>>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  private constructor(folder: string, options: HookInboxOptions) {
    this.folder = folder;
    this.#options = options;
  }

  static async open(folder: string, options: HookInboxOptions): Promise<HookInbox> {
    makePrivateFolder(folder);
    const relay = path.join(folder, RELAY_FILE);
    await writeFile(relay, RELAY);
    await chmod(relay, 0o700);
    const inbox = new HookInbox(folder, options);
    inbox.#watcher = watch(folder, { persistent: false }, (_event, name) => inbox.#take(name));
    inbox.#timer = setInterval(() => void inbox.#look(), POLL_MS).unref();
    return inbox;
  }

  /**
   * The command that passes an event on.
   *
   * @param waitMs how long the agent may be held up until the event is dealt with; it always is until it has been read
   */
  relay(event: string, waitMs = 0): readonly string[] {
    const script = path.join(this.folder, RELAY_FILE);
    return ['/bin/sh', script, event, ...(waitMs > 0 ? [String(Math.ceil(waitMs))] : [])];
  }

  /** Deals with what has arrived. */
  async settle(): Promise<void> {
    await this.#look();
    await Promise.all(this.#calls.values());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      for (const name of await readdir(this.folder)) this.#take(name);
    } catch (error) {
      this.#options.onTrouble?.(error);
    }
  }

  #take(name: string | null): void {
    const ready = READY.exec(name ?? '');
    if (!ready || this.#isDisposed) return;
    const [, pipe, event, waitMs] = ready as unknown as [string, string, string, string];
    if (this.#calls.has(pipe)) return;
    const call = this.#receive(pipe, event, Number(waitMs))
      .catch((error: unknown) => this.#options.onTrouble?.(error))
      .finally(() => this.#calls.delete(pipe));
    this.#calls.set(pipe, call);
  }

  /** An agent's next hook comes after this one was let go: only what it does at once has no order, and needs none. */
  async #receive(name: string, event: string, waitMs: number): Promise<void> {
    const pipes = HookPipes.open(path.join(this.folder, name));
    if (!pipes) return;
    let dealt: void | Promise<void>;
    try {
      const text = await pipes.text(MAX_PAYLOAD_BYTES, RECEIVE_MS);
      const payload = text === undefined || this.#isDisposed ? undefined : parseFields(text);
      if (!payload) return;
      const seenNs = this.#options.clock.nowNs();
      dealt = this.#options.onCall({ name: event, payload, seenNs });
      // What the agent does not wait for is dealt with all the same, and keeps no other hook from being heard.
      if (waitMs > 0) await Promise.race([dealt, sleep(waitMs, undefined, { ref: false })]);
    } finally {
      pipes.close();
    }
    await dealt;
  }
}
