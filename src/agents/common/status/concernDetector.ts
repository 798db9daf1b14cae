import { contentKey } from '../events/contentKey.ts';
import type { AgentEvent, ToolCalled } from '../events/events.ts';
import { dropOldest } from '../dropOldest.ts';
import { editedFiles, replacedText, toolCommand } from '../events/toolAction.ts';

/** The same call this often within the last calls counts as a loop. */
const LOOP_COUNT = 4;
/** How many of the last calls and edits are compared. */
const WINDOW = 24;
/** Limit of each map and set until the next prompt; the oldest entries are dropped first. */
const MAX_REMEMBERED = 200;
/** The same command failing this often is a concern. */
const FAILURE_COUNT = 3;
/** Edits of one file reverted this often are a concern. */
const REVERT_COUNT = 2;
/** An open turn without output or running calls for this long counts as stuck. */
export const STUCK_NS = 180_000_000_000n;
/** A request for approval without an answer for this long counts as forgotten. */
export const FORGOTTEN_NS = 300_000_000_000n;

export type Concern =
  | { readonly kind: 'loop'; readonly title: string; readonly count: number }
  | { readonly kind: 'editRevert'; readonly file: string }
  | { readonly kind: 'repeatedFailure'; readonly title: string; readonly count: number }
  | { readonly kind: 'stuck'; readonly sinceNs: bigint }
  | { readonly kind: 'approvalForgotten'; readonly title: string; readonly sinceNs: bigint };

/** An edit. Its texts may be long, so only their keys are stored. */
interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

interface Command {
  readonly key: string;
  readonly title: string;
}

/** Detects when a session needs the user. Reports each concern once until the next prompt. */
export class ConcernDetector {
  #calls: { readonly key: string; readonly title: string }[] = [];
  #failures = new Map<string, { count: number; readonly title: string }>();
  /** Running commands by call ID. */
  #commands = new Map<string, Command>();
  #edits: Edit[] = [];
  #reverts = new Map<string, number>();
  #reported = new Set<string>();
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
        // Capture was turned off: no more events will come.
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

  /** The program printed something, so it is not stuck. */
  output(timeNs: bigint): void {
    if (timeNs > this.#lastNs) this.#lastNs = timeNs;
  }

  /** Concerns that arise from the passing of time. */
  at(nowNs: bigint): Concern[] {
    const concerns: Concern[] = [];
    for (const [callId, { title, sinceNs }] of this.#asked) {
      if (nowNs - sinceNs < FORGOTTEN_NS) continue;
      concerns.push(
        ...this.#report(`forgotten ${callId}`, { kind: 'approvalForgotten', title, sinceNs }),
      );
    }
    if (this.#isQuiet && nowNs - this.#lastNs >= STUCK_NS) {
      concerns.push(...this.#report('stuck', { kind: 'stuck', sinceNs: this.#lastNs }));
    }
    return concerns;
  }

  /** The next time at which {@link at} may return something, if no event comes first. */
  get nextNs(): bigint | undefined {
    const due = [...this.#asked].flatMap(([callId, { sinceNs }]) =>
      this.#reported.has(`forgotten ${callId}`) ? [] : [sinceNs + FORGOTTEN_NS],
    );
    if (this.#isQuiet && !this.#reported.has('stuck')) due.push(this.#lastNs + STUCK_NS);
    return due.length === 0 ? undefined : due.reduce((a, b) => (a < b ? a : b));
  }

  /** Whether a turn is open without running or waiting calls. A running command may be silent. */
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
    this.#reported.clear();
    this.#openCalls.clear();
    this.#asked.clear();
  }

  #called(event: ToolCalled): Concern[] {
    this.#openCalls.add(event.callId);
    dropOldest(this.#openCalls, MAX_REMEMBERED);
    this.#reported.delete('stuck');
    const key = contentKey([event.tool, event.input]);
    this.#calls = [...this.#calls, { key, title: event.title }].slice(-WINDOW);
    const { title } = event;
    if (event.action === 'shell') {
      const command = contentKey(toolCommand(event.input) ?? title);
      remember(this.#commands, event.callId, { key: command, title });
    }
    const count = this.#calls.filter((call) => call.key === key).length;
    const loop =
      count >= LOOP_COUNT ? this.#report(`loop ${key}`, { kind: 'loop', title, count }) : [];
    return [...loop, ...this.#edited(event)];
  }

  #edited(event: ToolCalled): Concern[] {
    const [file] = editedFiles(event.tool, event.input);
    const { before, after } = replacedText(event.input);
    if (file === undefined || before === undefined || after === undefined) return [];
    const edited = { file, before: contentKey(before), after: contentKey(after) };
    const isRevert = this.#edits.some(
      (edit) => edit.file === file && edit.before === edited.after && edit.after === edited.before,
    );
    this.#edits = [...this.#edits, edited].slice(-WINDOW);
    if (!isRevert) return [];
    const count = (this.#reverts.get(file) ?? 0) + 1;
    remember(this.#reverts, file, count);
    return count >= REVERT_COUNT
      ? this.#report(`revert ${file}`, { kind: 'editRevert', file })
      : [];
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
    return this.#report(`failure ${key}`, { kind: 'repeatedFailure', title, count });
  }

  #report(key: string, concern: Concern): Concern[] {
    if (this.#reported.has(key)) return [];
    this.#reported.add(key);
    dropOldest(this.#reported, MAX_REMEMBERED);
    return [concern];
  }
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  dropOldest(map, MAX_REMEMBERED);
}
