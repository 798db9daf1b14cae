interface Stubs {
  /** Replaces a property until the test ends. */
  readonly replace: (target: object, name: string, value: unknown) => void;
  /** Runs after each test. */
  readonly restores: (() => void)[];
}

/**
 * Replaces functions of VS Code in the tests of a suite. The tests and the active extension share
 * the objects of the API, so the extension calls the replacements too.
 */
export function useStubs(): Stubs {
  const restores: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restores.splice(0)) restore();
  });
  return {
    restores,
    replace(target, name, value) {
      const before = Object.getOwnPropertyDescriptor(target, name);
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
      restores.push(() => {
        if (before) Object.defineProperty(target, name, before);
        else Reflect.deleteProperty(target, name);
      });
    },
  };
}
