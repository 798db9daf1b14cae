import type { AgentEvent } from '../../agents/common/events.ts';
import { REDACTED, secretsIn } from '../../redaction/redact.ts';
import { redactLine, redactText, redactValue } from '../../redaction/redactValue.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';
import { RedactingWriter } from './redactingWriter.ts';
import type { LogWriter } from '../sessionLog.ts';

/** The word behind one of these is a secret. */
const SECRET_OPTION = /^--?(?:password|passwd|token|secret|api-key|apikey)$/i;

/** Takes secrets out of all that a session writes down, before it is written. */
export class Redaction {
  readonly #known: readonly string[];

  private constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** Nothing where everything is to be kept as it is. */
  static of({ redacts, env }: LaunchSpec): Redaction | undefined {
    return redacts ? new Redaction(secretsIn(env)) : undefined;
  }

  writer(writer: LogWriter): LogWriter {
    return new RedactingWriter(writer, this.#known);
  }

  /** A label, a sentence. */
  text(text: string): string {
    return redactText(text, this.#known);
  }

  /** Of a transcript. */
  line(line: string): string {
    return redactLine(line, this.#known);
  }

  event(event: AgentEvent): AgentEvent {
    return this.value(event as unknown as ExactValue) as unknown as AgentEvent;
  }

  value(value: ExactValue): ExactValue {
    return redactValue(value, this.#known);
  }

  command(cmd: readonly string[]): string[] {
    return cmd.map((word, index) =>
      SECRET_OPTION.test(cmd[index - 1] ?? '') ? REDACTED : this.text(word),
    );
  }
}
