import * as vscode from 'vscode';
import { oneLine } from '../../agents/bounded.ts';
import { redactSecrets } from '../../agents/redact.ts';
import { summaryPrompt } from '../../agents/summaryPrompt.ts';
import type { Turn } from '../../agents/turns.ts';
import { messageOf } from '../../base/errors.ts';
import { configuration } from '../configuration.ts';

/** While a turn goes on, a model is not asked about it again for this long. */
const QUIET_MS = 30_000;
const MAX_CHARACTERS = 400;
/** Sentences that are remembered; the oldest go first. */
const MAX_REMEMBERED = 200;

interface Remembered {
  readonly key: string;
  readonly text: string | undefined;
  readonly askedMs: number;
}

/** A sentence about a session by the user's own language model, where there is one and the user wants it. */
export class ModelSummaries {
  readonly #log: vscode.LogOutputChannel;
  readonly #remembered = new Map<string, Remembered>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Nothing when it is off, when there is no model, or when it fails: there is a summary without it. */
  async of(
    session: string,
    turns: readonly Turn[],
    secrets: readonly string[],
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    const last = turns.at(-1);
    if (!configuration().usesLanguageModel || !last) return undefined;
    const key = `${last.id} ${last.endNs ?? 'open'}`;
    const known = this.#remembered.get(session);
    const isRecent = known && last.endNs === undefined && Date.now() - known.askedMs < QUIET_MS;
    if (known && (known.key === key || isRecent)) return known.text;
    const said = await this.#ask(summaryPrompt(turns, secrets), token);
    const text = said && oneLine(redactSecrets(said, secrets));
    if (token.isCancellationRequested) return text;
    this.#remembered.delete(session);
    this.#remembered.set(session, { key, text, askedMs: Date.now() });
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > MAX_REMEMBERED && !oldest.done) {
      this.#remembered.delete(oldest.value);
    }
    return text;
  }

  /** Something was taken out of the session, and may have been in what was said of it. */
  forget(session: string): void {
    this.#remembered.delete(session);
  }

  async #ask(prompt: string, token: vscode.CancellationToken): Promise<string | undefined> {
    try {
      const [model] = await vscode.lm.selectChatModels();
      if (!model) return undefined;
      const message = vscode.LanguageModelChatMessage.User(prompt);
      const justification = vscode.l10n.t('A sentence about what a recorded agent has been doing.');
      const response = await model.sendRequest([message], { justification }, token);
      let text = '';
      for await (const part of response.text) {
        text += part;
        if (text.length > MAX_CHARACTERS) break;
      }
      return text.trim().slice(0, MAX_CHARACTERS) || undefined;
    } catch (error) {
      this.#log.info(`No summary by a language model: ${messageOf(error)}`);
      return undefined;
    }
  }
}
