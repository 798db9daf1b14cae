import { contentKey } from './contentKey.ts';
import type { AgentEvent, ToolCalled } from './events.ts';
import { editedFiles, toolCommand } from './toolAction.ts';
import { fieldsOf, textOf } from './untrusted.ts';

/** The same call this often in a row of calls is a loop, not a habit. */
const LOOP_COUNT = 4;
/** Calls that are looked back on. */
const WINDOW = 24;
/** Of each kind of thing that is remembered until the next prompt; the oldest go first. */
const MAX_REMEMBERED = 200;
/** The same command failing this often. */
const FAILURE_COUNT = 3;
/** An edit taken back, and made again, this often. */
const REVERT_COUNT = 2;
/** An open turn in which nothing happens and nothing runs, for this long. */
export const STUCK_NS = 180_000_000_000n;
/** A request for approval that nobody answered, for this long. */
export const FORGOTTEN_NS = 300_000_000_000n;

export type Concern =
  | { readonly kind: 'loop'; readonly title: string; readonly count: number }
  | { readonly kind: 'editRevert'; readonly file: string }
  | { readonly kind: 'repeatedFailure'; readonly title: string; readonly count: number }
  | { readonly kind: 'stuck'; readonly sinceNs: bigint }
  | { readonly kind: 'approvalForgotten'; readonly title: string; readonly sinceNs: bigint };

/** Short names of the texts: they may be long. */
interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

interface Command {
  readonly key: string;
  readonly title: string;
}

/** Notices when a session needs a person: each concern is told once, until the person says something. */
export class Detectors {
  #calls: { readonly key: string; readonly title: string }[] = [];
  #failures = new Map<string, { count: number; readonly title: string }>();
  /** Under way, by the id of their call. */
  #commands = new Map<string, Command>();
  #edits: Edit[] = [];
  #reverts = new Map<string, number>();
  #told = new Set<string>();
  #openTurn = false;
  #openCalls = new Set<string>();
  #asked = new Map<string, { readonly title: string; readonly sinceNs: bigint }>();
  #lastNs = 0n;

  push(event: AgentEvent): Concern[] {
    if (event.timeNs > this.#lastNs) this.#lastNs = event.timeNs;
    switch (event.kind) {
      case 'user.prompt':
        this.#reset();
        this.#openTurn = true;
        return [];
      case 'tool.call':
        return this.#called(event);
      case 'tool.result': {
        this.#openCalls.delete(event.callId);
        this.#asked.delete(event.callId);
        return this.#finished(event.callId, event.outcome === 'failed');
      }
      case 'approval.requested':
        remember(this.#asked, event.callId, { title: event.title, sinceNs: event.timeNs });
        return [];
      case 'approval.resolved':
        this.#asked.delete(event.callId);
        return [];
      case 'turn.completed':
      case 'session.exited':
        return this.#ended();
      case 'status.changed':
        // Nobody is told any more.
        return event.status === 'unknown' ? this.#ended() : [];
      case 'session.started':
      case 'assistant.message':
      case 'assistant.delta':
      case 'context.compacted':
      case 'error':
      case 'tokens.used':
      case 'checkpoint':
      case 'timeline.sessionBranch.created':
      case 'heartbeat':
      case 'unknown':
        return [];
    }
  }

  /** Bytes on the screen: it is not stuck. */
  output(timeNs: bigint): void {
    if (timeNs > this.#lastNs) this.#lastNs = timeNs;
  }

  /** What time alone brings to light. */
  at(nowNs: bigint): Concern[] {
    const concerns: Concern[] = [];
    for (const [callId, { title, sinceNs }] of this.#asked) {
      if (nowNs - sinceNs < FORGOTTEN_NS) continue;
      concerns.push(
        ...this.#tell(`forgotten ${callId}`, { kind: 'approvalForgotten', title, sinceNs }),
      );
    }
    if (this.#isQuiet && nowNs - this.#lastNs >= STUCK_NS) {
      concerns.push(...this.#tell('stuck', { kind: 'stuck', sinceNs: this.#lastNs }));
    }
    return concerns;
  }

  /** When {@link at} may have something to say, if nothing happens until then. */
  get nextNs(): bigint | undefined {
    const due = [...this.#asked].flatMap(([callId, { sinceNs }]) =>
      this.#told.has(`forgotten ${callId}`) ? [] : [sinceNs + FORGOTTEN_NS],
    );
    if (this.#isQuiet && !this.#told.has('stuck')) due.push(this.#lastNs + STUCK_NS);
    return due.length === 0 ? undefined : due.reduce((a, b) => (a < b ? a : b));
  }

  /** A turn is open, and nothing runs or waits in it. A command that runs may be silent for as long as it likes. */
  get #isQuiet(): boolean {
    return this.#openTurn && this.#openCalls.size === 0 && this.#asked.size === 0;
  }

  #ended(): Concern[] {
    this.#openTurn = false;
    this.#openCalls.clear();
    this.#asked.clear();
    return [];
  }

  #reset(): void {
    this.#calls = [];
    this.#failures.clear();
    this.#commands.clear();
    this.#edits = [];
    this.#reverts.clear();
    this.#told.clear();
    this.#openCalls.clear();
    this.#asked.clear();
  }

  #called(event: ToolCalled): Concern[] {
    this.#openCalls.add(event.callId);
    dropOldest(this.#openCalls);
    this.#told.delete('stuck');
    const key = contentKey([event.tool, event.input]);
    this.#calls = [...this.#calls, { key, title: event.title }].slice(-WINDOW);
    const { title } = event;
    if (event.action === 'shell') {
      const command = contentKey(toolCommand(event.input) ?? title);
      remember(this.#commands, event.callId, { key: command, title });
    }
    const count = this.#calls.filter((call) => call.key === key).length;
    const loop =
      count >= LOOP_COUNT ? this.#tell(`loop ${key}`, { kind: 'loop', title, count }) : [];
    return [...loop, ...this.#edited(event)];
  }

  #edited(event: ToolCalled): Concern[] {
    const [file] = editedFiles(event.tool, event.input);
    const fields = fieldsOf(event.input);
    const before = textOf(fields['old_string'] ?? fields['oldString'] ?? fields['old_str']);
    const after = textOf(fields['new_string'] ?? fields['newString'] ?? fields['new_str']);
    if (file === undefined || before === undefined || after === undefined) return [];
    const made = { file, before: contentKey(before), after: contentKey(after) };
    const isRevert = this.#edits.some(
      (edit) => edit.file === file && edit.before === made.after && edit.after === made.before,
    );
    this.#edits = [...this.#edits, made].slice(-WINDOW);
    if (!isRevert) return [];
    const count = (this.#reverts.get(file) ?? 0) + 1;
    remember(this.#reverts, file, count);
    return count >= REVERT_COUNT ? this.#tell(`revert ${file}`, { kind: 'editRevert', file }) : [];
  }

  #finished(callId: string, isFailed: boolean): Concern[] {
    const call = this.#commands.get(callId);
    this.#commands.delete(callId);
    if (!call) return [];
    const { key } = call;
    if (!isFailed) {
      this.#failures.delete(key);
      return [];
    }
    const failure = this.#failures.get(key) ?? { count: 0, title: call.title };
    failure.count += 1;
    remember(this.#failures, key, failure);
    const { count, title } = failure;
    if (count < FAILURE_COUNT) return [];
    return this.#tell(`failure ${key}`, { kind: 'repeatedFailure', title, count });
  }

  #tell(key: string, concern: Concern): Concern[] {
    if (this.#told.has(key)) return [];
    this.#told.add(key);
    dropOldest(this.#told);
    return [concern];
  }
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  dropOldest(map);
}

function dropOldest(kept: Map<unknown, unknown> | Set<unknown>): void {
  const oldest = kept.keys().next();
  if (kept.size > MAX_REMEMBERED && !oldest.done) kept.delete(oldest.value);
}
