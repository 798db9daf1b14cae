import type { AgentEvent } from '../../agents/common/events/events.ts';
import { REDACTED, secretsIn } from '../../redaction/redact.ts';
import { redactLine, redactText, redactValue } from '../../redaction/redactValue.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';
import { RedactingWriter } from './redactingWriter.ts';
import type { LogWriter } from '../sessionLog.ts';

/** The argument after one of these options is a secret. */
const SECRET_OPTION = /^--?(?:password|passwd|token|secret|api-key|apikey)$/i;

/** Removes secrets from everything that a session writes, if redaction is on. */
export class Redaction {
  /** Values of secret environment variables; undefined when redaction is off. */
  readonly #secrets: readonly string[] | undefined;

  constructor({ redacts, env }: Pick<LaunchSpec, 'redacts' | 'env'>) {
    this.#secrets = redacts ? secretsIn(env) : undefined;
  }

  get isOn(): boolean {
    return this.#secrets !== undefined;
  }

  writer(writer: LogWriter): LogWriter {
    return this.#secrets ? new RedactingWriter(writer, this.#secrets) : writer;
  }

  text(text: string): string {
    return this.#secrets ? redactText(text, this.#secrets) : text;
  }

  /** @param line a line of a transcript, which may be JSON */
  line(line: string): string {
    return this.#secrets ? redactLine(line, this.#secrets) : line;
  }

  event(event: AgentEvent): AgentEvent {
    return this.value(event as unknown as ExactValue) as unknown as AgentEvent;
  }

  value(value: ExactValue): ExactValue {
    return this.#secrets ? redactValue(value, this.#secrets) : value;
  }

  command(cmd: readonly string[]): readonly string[] {
    if (!this.isOn) return cmd;
    return cmd.map((word, index) =>
      SECRET_OPTION.test(cmd[index - 1] ?? '') ? REDACTED : this.text(word),
    );
  }
}
