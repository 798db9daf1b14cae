import * as vscode from 'vscode';

/** API objects that return disposables. */
const SOURCES: readonly object[] = [
  vscode.window,
  vscode.commands,
  vscode.workspace,
  vscode.languages,
  vscode.comments,
];
const HANDS_OUT = /^(register|create|on[A-Z])/;
const EVENT = /^on[A-Z]/;

/**
 * Counts undisposed resources, including timers. Replaces the API, because the real extension is
 * active in the same host.
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

  /** A stub: each member is a function, and `dispose` releases it. */
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
