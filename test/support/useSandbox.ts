import { useTemporaryFolder } from './temporaryFolder.ts';
import { AhSandbox } from './ah.ts';

/** Call in a `describe`: every test gets the product with fresh data; its processes are ended afterwards. */
export function useSandbox(): { readonly current: AhSandbox } {
  const sandbox = { current: undefined as unknown as AhSandbox };
  // Hooks run in order: the recorders must end before their folder is deleted.
  afterEach(() => sandbox.current.dispose());
  const folder = useTemporaryFolder();
  beforeEach(() => {
    sandbox.current = new AhSandbox(folder.path);
  });
  return sandbox;
}
