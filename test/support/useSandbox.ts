import { useTemporaryFolder } from './temporaryFolder.ts';
import { AhSandbox } from './ah.ts';

/** Call in a `describe`: every test gets the product with fresh data, and leaves no process behind. */
export function useSandbox(): { readonly current: AhSandbox } {
  const sandbox = { current: undefined as unknown as AhSandbox };
  // Hooks run in the order they are registered: the recorders have to be gone before their folder is removed.
  afterEach(() => sandbox.current.dispose());
  const folder = useTemporaryFolder();
  beforeEach(() => {
    sandbox.current = new AhSandbox(folder.path);
  });
  return sandbox;
}
