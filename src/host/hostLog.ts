import { appendFileSync } from 'node:fs';

/**
 * `host.log` in the session's folder: bugs and write errors of a recorder, which has no terminal to
 * print them to. The first line creates the file, so most sessions have none. `AH: Report Problem`
 * includes it.
 */
export class HostLog {
  readonly #file: string;
  readonly #redact: (message: string) => string;

  /** @param redact removes secrets: errors may quote the text that they are about */
  constructor(file: string, redact: (message: string) => string) {
    this.#file = file;
    this.#redact = redact;
  }

  write(message: string): void {
    try {
      const text = this.#redact(message);
      appendFileSync(this.#file, `${new Date().toISOString()} ${text}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the recorder. Clients get write errors as `trouble` events.
    }
  }
}
