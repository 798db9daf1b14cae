import type { GitPorts } from '../gitPorts.ts';
import type { KeptModes } from '../modes/modeTree.ts';
import type { WorkspaceScan } from './workspaceScan.ts';

/**
 * Hashes a scan: equal identities mean equal snapshots. Ignored files change with every build and
 * are not in the snapshot, so they don't count.
 */
export function identityOf(
  coding: GitPorts['coding'],
  scan: WorkspaceScan & { readonly modes: KeptModes },
): string {
  const facts = {
    files: scan.files,
    // The tree lacks default permissions, which follow from the umask.
    modes: { umask: scan.modes.umask, tree: scan.modes.tree },
    repositories: scan.repositories,
    omissions: scan.omissions
      .filter(({ reason }) => reason !== 'ignored')
      .map(({ path, reason }) => `${reason} ${path}`)
      .sort(),
  };
  return coding.hash('sha1', [new TextEncoder().encode(JSON.stringify(facts))]);
}
