import * as vscode from 'vscode';

/** What hands out resources that an extension has to give back. */
const SOURCES: readonly object[] = [
  ...[vscode.window, vscode.commands, vscode.workspace, vscode.languages, vscode.comments],
];
const HANDS_OUT = /^(register|create|on[A-Z])/;
const EVENT = /^on[A-Z]/;

/**
 * Counts what is handed out and not given back, clocks included. Nothing is registered for real: the extension under test is
 * active too.
 */
export class ResourceLedger {
  readonly open = new Map<object, string>();
  readonly #originals: (() => void)[] = [];

  constructor() {
    for (const source of SOURCES) {
      for (const name of Object.keys(source).filter((key) => HANDS_OUT.test(key))) {
        const original = Object.getOwnPropertyDescriptor(source, name)!;
        const value = () => this.#handOut(name);
        Object.defineProperty(source, name, { value, configurable: true, enumerable: true });
        this.#originals.push(() => Object.defineProperty(source, name, original));
      }
    }
    this.#countClocks();
  }

  restore(): void {
    for (const restore of this.#originals) restore();
  }

  #countClocks(): void {
    const { setInterval: start, clearInterval: stop } = globalThis;
    this.#originals.push(() =>
      Object.assign(globalThis, { setInterval: start, clearInterval: stop }),
    );
    Object.assign(globalThis, {
      setInterval: (...args: Parameters<typeof start>) => {
        const clock = start(...args);
        this.open.set(clock, 'setInterval');
        return clock;
      },
      clearInterval: (clock: NodeJS.Timeout) => {
        this.open.delete(clock);
        stop(clock);
      },
    });
  }

  /** Stands in for whatever it is: any member is a function, and `dispose` gives it back. */
  #handOut(name: string): object {
    const members: Record<string | symbol, unknown> = {};
    const resource: object = new Proxy(members, {
      get: (target, key) => {
        if (key === 'dispose') return () => this.open.delete(resource);
        if (key in target) return target[key];
        const isEvent = typeof key === 'string' && EVENT.test(key);
        return () => (isEvent ? this.#handOut(`${name}.${key}`) : undefined);
      },
    });
    this.open.set(resource, name);
    return resource;
  }
}
