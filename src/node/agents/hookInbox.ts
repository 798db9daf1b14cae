import { watch, type FSWatcher } from 'node:fs';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseFields } from '../../agents/untrusted.ts';
import type { HookCall } from '../../agents/adapter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { makePrivateFolder } from '../paths.ts';
import type { SystemClock } from '../systemClock.ts';

const RELAY_FILE = 'relay.sh';
/** A notification may get lost; agents wait for none of this. */
const POLL_MS = 1000;
/** A hook brings a tool's whole result; what is longer tells nobody more. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
/** Files that are still being written have a dot in front. */
const CALL_FILE = /^[^.].*-([A-Za-z]+)\.json$/;

/**
 * A shell and three small programs: a hook runs before and after every tool, and a runtime would take fifty times as long
 * to start. What it gets is complete once it bears its name; who has to wait for us waits until the file is gone.
 */
const RELAY = `#!/bin/sh
umask 077
inbox=\${0%/*}
name=$(date +%s%N)-$$
cat >"$inbox/.$name" && mv "$inbox/.$name" "$inbox/$name-$1.json"
left=\${2:-0}
while [ "$left" -gt 0 ] && [ -e "$inbox/$name-$1.json" ]; do
  sleep 0.01
  left=$((left - 1))
done
exit 0
`;

export interface HookInboxOptions {
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Called for one hook after the other; the agent's relay waits for it where it was told to. */
  onCall(call: HookCall): void | Promise<void>;
  onTrouble?(error: unknown): void;
}

/** The folder through which hooks reach the recorder: one file per call, taken away when it is dealt with. */
export class HookInbox implements Disposable {
  readonly folder: string;
  readonly #options: HookInboxOptions;
  readonly #reads = new Sequencer();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;
  #isReadWanted = false;

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
    inbox.#watcher = watch(folder, { persistent: false }, () => void inbox.read());
    inbox.#timer = setInterval(() => void inbox.read(), POLL_MS).unref();
    return inbox;
  }

  /**
   * The command that passes an event on.
   *
   * @param waitMs how long the agent may be held up until the event is dealt with
   */
  relay(event: string, waitMs = 0): readonly string[] {
    const script = path.join(this.folder, RELAY_FILE);
    return ['/bin/sh', script, event, ...(waitMs > 0 ? [String(Math.ceil(waitMs / 10))] : [])];
  }

  /** Deals with what has arrived. */
  async read(): Promise<void> {
    if (this.#isReadWanted) return this.#reads.queue(async () => {});
    this.#isReadWanted = true;
    await this.#reads.queue(async () => {
      this.#isReadWanted = false;
      if (!this.#isDisposed) await this.#readAll();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  async #readAll(): Promise<void> {
    try {
      for (const { file, name, size } of await this.#arrived()) {
        try {
          const payload =
            size <= MAX_PAYLOAD_BYTES ? parseFields(await readFile(file, 'utf8')) : undefined;
          if (payload) {
            await this.#options.onCall({ name, payload, seenNs: this.#options.clock.nowNs() });
          }
        } finally {
          await rm(file, { force: true });
        }
      }
    } catch (error) {
      this.#options.onTrouble?.(error);
    }
  }

  /** In the order in which they came: names begin with a time, but not on every system with a fine one. */
  async #arrived(): Promise<{ file: string; name: string; size: number }[]> {
    const entries = await readdir(this.folder);
    const calls = await Promise.all(
      entries.map(async (entry) => {
        const name = CALL_FILE.exec(entry)?.[1];
        if (name === undefined) return [];
        const file = path.join(this.folder, entry);
        const { mtimeNs, size } = await stat(file, { bigint: true });
        return [{ file, name, mtimeNs, size: Number(size) }];
      }),
    );
    return calls.flat().sort((a, b) => {
      if (a.mtimeNs !== b.mtimeNs) return a.mtimeNs < b.mtimeNs ? -1 : 1;
      return a.file < b.file ? -1 : 1;
    });
  }
}
