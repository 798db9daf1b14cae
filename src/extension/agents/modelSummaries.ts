import * as vscode from 'vscode';
import { oneLine } from '../../agents/common/bounded.ts';
import { redactSecrets } from '../../redaction/redact.ts';
import { summaryPrompt } from '../../agents/common/summaryPrompt.ts';
import type { Turn } from '../../agents/common/turns.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { configuration } from '../configuration.ts';
import { SETTINGS } from '../contributions.ts';

/** While a turn goes on, a model is not asked about it again for this long. */
const QUIET_MS = 30_000;
const MAX_CHARACTERS = 400;
/** A person with the pointer on a session does not wait longer. */
const PATIENCE_MS = 1500;
const GIVE_UP_MS = 60_000;
/** Sentences that are remembered; the oldest go first. */
const MAX_REMEMBERED = 200;
/** In what the editor keeps for us: the user has refused us the models. */
const REFUSED = 'summaries.refused';

interface Remembered {
  readonly key: string;
  readonly text: string | undefined;
  readonly askedMs: number;
}

/** A sentence about a session by the user's own language model, where there is one and the user wants it. */
export class ModelSummaries implements Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #memory: vscode.Memento;
  readonly #settings: vscode.Disposable;
  /** One after the other: the editor may ask the user about the first, and once is enough. */
  readonly #asking = new Sequencer();
  readonly #remembered = new Map<string, Remembered>();
  /** Those that a model is being asked about. */
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #says = new Emitter<void>();

  /** A model that was too slow for {@link of} has said something. */
  readonly onDidSay = this.#says.event;

  /** @param memory of all windows: who says no in one of them is asked in none */
  constructor(log: vscode.LogOutputChannel, memory: vscode.Memento) {
    this.#log = log;
    this.#memory = memory;
    this.#settings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`ah.${SETTINGS.languageModel}`)) return;
      // Turned on once more by the user: then the editor may ask once more.
      void memory.update(REFUSED, undefined);
      this.#remembered.clear();
    });
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
    this.#settings.dispose();
    this.#says.dispose();
  }

  async #answer(
    session: string,
    key: string,
    prompt: string,
    secrets: readonly string[],
  ): Promise<string | undefined> {
    const askedMs = Date.now();
    const said = await this.#asking.queue(() => this.#ask(prompt));
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
    if (this.#memory.get(REFUSED) === true) return undefined;
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
      // Refused, or the question put away: to ask again with every turn would be to pester.
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
