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
/** Polls the folder as well, since file notifications may get lost. */
const POLL_MS = 1000;
/** A payload has a tool's whole result; longer ones are ignored. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
/**
 * Time limit to receive a payload: longer than the relay waits, so a pipe that is still incomplete
 * is abandoned.
 */
const RECEIVE_MS = 10_000;
/**
 * Matches the name of the second pipe, which is created last: it has the process ID, the event and
 * the wait in milliseconds.
 */
const READY = /^(\d+-([A-Za-z]+)-(\d+))\.done$/;

/**
 * The hook command, a shell script: hooks run around every tool call, and a runtime would start
 * fifty times slower. The payload passes through a pipe, so it is never in a file. The hook waits
 * until the recorder closes the other pipe or ends. It gives up after eight seconds, less than
 * agents allow, and always exits with 0. The empty first line distinguishes an empty payload from a
 * missing writer.
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
  /** Called for each hook call. The agent waits for the result if its relay command says so. */
  onCall(call: HookCall): void | Promise<void>;
  onError?(error: unknown): void;
}

/** The folder through which hook commands reach the recorder, with two temporary pipes per call. */
export class HookInbox implements Disposable {
  readonly folder: string;
  readonly #options: HookInboxOptions;
  /** Open calls by the names of their pipes. */
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
    inbox.#watcher = watch(folder, { persistent: false }, (_event, name) => inbox.#accept(name));
    inbox.#timer = setInterval(() => void inbox.#poll(), POLL_MS).unref();
    return inbox;
  }

  /**
   * The hook command for an event.
   *
   * @param waitMs the longest time that the agent waits for the recorder to handle the event, once
   * the recorder has read it
   */
  relay(event: string, waitMs = 0): readonly string[] {
    const script = path.join(this.folder, RELAY_FILE);
    return ['/bin/sh', script, event, ...(waitMs > 0 ? [String(Math.ceil(waitMs))] : [])];
  }

  /** Waits until all calls that have arrived are handled. */
  async settle(): Promise<void> {
    await this.#poll();
    await Promise.all(this.#calls.values());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    try {
      for (const name of await readdir(this.folder)) this.#accept(name);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #accept(name: string | null): void {
    const ready = READY.exec(name ?? '');
    if (!ready || this.#isDisposed) return;
    const [, pipe = '', event = '', waitMs] = ready;
    if (this.#calls.has(pipe)) return;
    const call = this.#receive(pipe, event, Number(waitMs))
      .catch((error: unknown) => this.#options.onError?.(error))
      .finally(() => this.#calls.delete(pipe));
    this.#calls.set(pipe, call);
  }

  /** An agent waits for each hook, so only the calls of parallel tools can be out of order. */
  async #receive(name: string, event: string, waitMs: number): Promise<void> {
    const pipes = HookPipes.open(path.join(this.folder, name));
    if (!pipes) return;
    let handled: void | Promise<void>;
    try {
      const text = await pipes.text(MAX_PAYLOAD_BYTES, RECEIVE_MS);
      const payload = text === undefined || this.#isDisposed ? undefined : parseFields(text);
      if (!payload) return;
      const seenNs = this.#options.clock.nowNs();
      handled = this.#options.onCall({ name: event, payload, seenNs });
      // After the wait, the handler continues, but no longer delays the hook.
      if (waitMs > 0) await Promise.race([handled, sleep(waitMs, undefined, { ref: false })]);
    } finally {
      pipes.close();
    }
    await handled;
  }
}
