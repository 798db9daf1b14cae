import { appendFileSync } from 'node:fs';

/** `host.log`: what a recorder has to say when nobody is connected. Made on the first line, so most sessions have none. */
export class HostLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  write(message: string): void {
    try {
      appendFileSync(this.#file, `${new Date().toISOString()} ${message}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not take the recorder down; clients are told by other means.
    }
  }
}
