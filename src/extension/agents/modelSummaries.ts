import * as vscode from 'vscode';
import { oneLine } from '../../agents/common/bounded.ts';
import { redactSecrets } from '../../redaction/redact.ts';
import { summaryPrompt } from '../../agents/common/turns/summaryPrompt.ts';
import type { Turn } from '../../agents/common/turns/turns.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { configuration } from '../configuration.ts';
import { SETTINGS } from '../contributions.ts';

/** Minimum time between requests to the model during a turn. */
const MIN_INTERVAL_MS = 30_000;
const MAX_CHARACTERS = 400;
/** How long a tooltip waits for the model. */
const TOOLTIP_TIMEOUT_MS = 1500;
const REQUEST_TIMEOUT_MS = 60_000;
/** Number of cached summaries; the oldest are dropped first. */
const MAX_CACHED = 200;
/** Key in the global state; set when the user denied access to language models. */
const REFUSED = 'summaries.refused';

interface CachedSummary {
  readonly key: string;
  readonly text: string | undefined;
  readonly askedMs: number;
}

/** Summarizes sessions with the user's language model, if the user turned that on. */
export class ModelSummaries implements Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #memory: vscode.Memento;
  readonly #settings: vscode.Disposable;
  /** Sequential, because VS Code may ask for consent during the first request. */
  readonly #requests = new Sequencer();
  readonly #cache = new Map<string, CachedSummary>();
  /** Pending requests by session. */
  readonly #pending = new Map<string, Promise<string | undefined>>();
  readonly #summaries = new Emitter<void>();

  /** Fires when a summary arrives that {@link of} did not wait for. */
  readonly onDidSummarize = this.#summaries.event;

  /** @param memory state that all windows share, so that one refusal counts everywhere */
  constructor(log: vscode.LogOutputChannel, memory: vscode.Memento) {
    this.#log = log;
    this.#memory = memory;
    this.#settings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`ah.${SETTINGS.languageModel}`)) return;
      // The user changed the setting, so VS Code may ask for consent again.
      void memory.update(REFUSED, undefined);
      this.#cache.clear();
    });
  }

  /**
   * Returns a summary of the turns; undefined if summaries are off, no model is available, or the
   * model fails or is slow. A summary that arrives late is returned by the next call.
   */
  async of(
    session: string,
    turns: readonly Turn[],
    secrets: readonly string[],
  ): Promise<string | undefined> {
    const last = turns.at(-1);
    if (!configuration().usesLanguageModel || !last) return undefined;
    const key = `${last.id} ${last.endNs ?? 'open'}`;
    const known = this.#cache.get(session);
    const isRecent =
      known && last.endNs === undefined && Date.now() - known.askedMs < MIN_INTERVAL_MS;
    if (known && (known.key === key || isRecent)) return known.text;
    let answer = this.#pending.get(session);
    if (!answer) {
      answer = this.#answer(session, key, summaryPrompt(turns, secrets), secrets);
      this.#pending.set(session, answer);
      void answer.finally(() => this.#pending.delete(session));
    }
    const late = Symbol('late');
    const first = await Promise.race([answer, after(TOOLTIP_TIMEOUT_MS, late)]);
    if (first !== late) return first;
    void answer.then((text) => text !== undefined && this.#summaries.fire());
    return undefined;
  }

  /** Drops the cached summary of a session after a scrub: it may contain the scrubbed text. */
  forget(session: string): void {
    this.#cache.delete(session);
  }

  dispose(): void {
    this.#settings.dispose();
    this.#summaries.dispose();
  }

  async #answer(
    session: string,
    key: string,
    prompt: string,
    secrets: readonly string[],
  ): Promise<string | undefined> {
    const askedMs = Date.now();
    const answer = await this.#requests.queue(() => this.#ask(prompt));
    const text = answer && oneLine(redactSecrets(answer, secrets));
    this.#cache.delete(session);
    this.#cache.set(session, { key, text, askedMs });
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > MAX_CACHED && !oldest.done) {
      this.#cache.delete(oldest.value);
    }
    return text;
  }

  async #ask(prompt: string): Promise<string | undefined> {
    if (this.#memory.get(REFUSED) === true) return undefined;
    const limit = new vscode.CancellationTokenSource();
    const timer = setTimeout(() => limit.cancel(), REQUEST_TIMEOUT_MS);
    try {
      // Limit the wait, because an extension that provides models may never answer.
      const [model] = await Promise.race([
        vscode.lm.selectChatModels(),
        after(REQUEST_TIMEOUT_MS, []),
      ]);
      if (!model) return undefined;
      const message = vscode.LanguageModelChatMessage.User(prompt);
      const justification = vscode.l10n.t('Summarizes what a recorded agent has been doing.');
      const response = await model.sendRequest([message], { justification }, limit.token);
      let text = '';
      for await (const part of response.text) {
        text += part;
        if (text.length > MAX_CHARACTERS) break;
      }
      return text.trim().slice(0, MAX_CHARACTERS) || undefined;
    } catch (error) {
      this.#log.info(`No summary by a language model: ${messageOf(error)}`);
      // The user refused or dismissed the request: don't ask again with every turn.
      if (isRefusal(error)) await this.#memory.update(REFUSED, true);
      return undefined;
    } finally {
      clearTimeout(timer);
      limit.dispose();
    }
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof vscode.LanguageModelError &&
    error.code === vscode.LanguageModelError.NoPermissions.name
  );
}

function after<const T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds).unref());
}
