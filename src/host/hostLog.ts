import { appendFileSync } from 'node:fs';

/** `host.log`: what a recorder has to say when nobody is connected. Made on the first line, so most sessions have none. */
export class HostLog {
  readonly #file: string;
  readonly #safe: (message: string) => string;

  /** @param safe errors may quote what they are about: a message as it may be written down */
  constructor(file: string, safe: (message: string) => string = (message) => message) {
    this.#file = file;
    this.#safe = safe;
  }

  write(message: string): void {
    try {
      const text = this.#safe(message);
      appendFileSync(this.#file, `${new Date().toISOString()} ${text}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not take the recorder down; clients are told by other means.
    }
  }
}
