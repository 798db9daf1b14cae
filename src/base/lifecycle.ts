/** Owns a resource until it is disposed. Compatible with `vscode.Disposable`. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (released) return;
      released = true;
      release();
    },
  };
}

/** Owns disposables. An item added after disposal is disposed at once, so that it cannot leak. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    // Dispose in reverse order, since later resources usually depend on earlier ones.
    for (const item of [...this.#items].reverse()) item.dispose();
    this.#items.clear();
  }
}

/** A replaceable resource: setting a new value disposes the old one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
  #value: T | undefined;
  #disposed = false;

  get value(): T | undefined {
    return this.#value;
  }

  set value(next: T | undefined) {
    if (next === this.#value) return;
    this.#value?.dispose();
    this.#value = next;
    if (this.#disposed) this.clear();
  }

  clear(): void {
    this.value = undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.clear();
  }
}
