import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Call in a `describe`: every test gets a fresh folder, which is gone afterwards. */
export function useTemporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await mkdtemp(path.join(tmpdir(), 'ah-test-'));
  });
  // What a killed program had started may still write its last file there: again, then.
  afterEach(() => rm(folder.path, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
