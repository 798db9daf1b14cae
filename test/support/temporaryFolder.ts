import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Call in a `describe`: every test gets a fresh folder, which is deleted afterwards. */
export function useTemporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await mkdtemp(path.join(tmpdir(), 'ah-test-'));
  });
  // Children of a killed program may still write a file there: then try again.
  afterEach(() => rm(folder.path, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
