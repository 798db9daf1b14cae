import * as vscode from 'vscode';
import { oneLine } from '../../agents/bounded.ts';
import { redactSecrets } from '../../agents/redact.ts';
import { summaryPrompt } from '../../agents/summaryPrompt.ts';
import type { Turn } from '../../agents/turns.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { configuration } from '../configuration.ts';

/** While a turn goes on, a model is not asked about it again for this long. */
const QUIET_MS = 30_000;
const MAX_CHARACTERS = 400;
/** A person with the pointer on a session does not wait longer. */
const PATIENCE_MS = 1500;
const GIVE_UP_MS = 60_000;
/** Sentences that are remembered; the oldest go first. */
const MAX_REMEMBERED = 200;

interface Remembered {
  readonly key: string;
  readonly text: string | undefined;
  readonly askedMs: number;
}

/** A sentence about a session by the user's own language model, where there is one and the user wants it. */
export class ModelSummaries implements Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #remembered = new Map<string, Remembered>();
  /** Those that a model is being asked about. */
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #says = new Emitter<void>();

  /** A model that was too slow for {@link of} has said something. */
  readonly onDidSay = this.#says.event;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /**
   * Nothing when it is off, when there is no model, or when it fails: there is a summary without it. Nobody waits for a slow
   * one either; what it says is there the next time.
   */
  async of(
    session: string,
    turns: readonly Turn[],
    secrets: readonly string[],
  ): Promise<string | undefined> {
    const last = turns.at(-1);
    if (!configuration().usesLanguageModel || !last) return undefined;
    const key = `${last.id} ${last.endNs ?? 'open'}`;
    const known = this.#remembered.get(session);
    const isRecent = known && last.endNs === undefined && Date.now() - known.askedMs < QUIET_MS;
    if (known && (known.key === key || isRecent)) return known.text;
    let answer = this.#asked.get(session);
    if (!answer) {
      answer = this.#answer(session, key, summaryPrompt(turns, secrets), secrets);
      this.#asked.set(session, answer);
      void answer.finally(() => this.#asked.delete(session));
    }
    const late = Symbol('late');
    const first = await Promise.race([answer, after(PATIENCE_MS, late)]);
    if (first !== late) return first;
    void answer.then((text) => text !== undefined && this.#says.fire());
    return undefined;
  }

  /** Something was taken out of the session, and may have been in what was said of it. */
  forget(session: string): void {
    this.#remembered.delete(session);
  }

  dispose(): void {
    this.#says.dispose();
  }

  async #answer(
    session: string,
    key: string,
    prompt: string,
    secrets: readonly string[],
  ): Promise<string | undefined> {
    const askedMs = Date.now();
    const said = await this.#ask(prompt);
    const text = said && oneLine(redactSecrets(said, secrets));
    this.#remembered.delete(session);
    this.#remembered.set(session, { key, text, askedMs });
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > MAX_REMEMBERED && !oldest.done) {
      this.#remembered.delete(oldest.value);
    }
    return text;
  }

  async #ask(prompt: string): Promise<string | undefined> {
    const limit = new vscode.CancellationTokenSource();
    const timer = setTimeout(() => limit.cancel(), GIVE_UP_MS);
    try {
      // An extension that brings models may never say which.
      const [model] = await Promise.race([vscode.lm.selectChatModels(), after(GIVE_UP_MS, [])]);
      if (!model) return undefined;
      const message = vscode.LanguageModelChatMessage.User(prompt);
      const justification = vscode.l10n.t('A sentence about what a recorded agent has been doing.');
      const response = await model.sendRequest([message], { justification }, limit.token);
      let text = '';
      for await (const part of response.text) {
        text += part;
        if (text.length > MAX_CHARACTERS) break;
      }
      return text.trim().slice(0, MAX_CHARACTERS) || undefined;
    } catch (error) {
      this.#log.info(`No summary by a language model: ${messageOf(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer);
      limit.dispose();
    }
  }
}

function after<const T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds).unref());
}
