import type { GitPorts } from '../gitPorts.ts';
import type { KeptModes } from '../modes/modeTree.ts';
import type { WorkspaceScan } from './workspaceScan.ts';

/**
 * The same identity is the same state. Ignored files come and go with every build, and are not in the snapshot: they make no
 * difference.
 */
export function identityOf(
  coding: GitPorts['coding'],
  scan: WorkspaceScan & { readonly modes: KeptModes },
): string {
  const said = {
    files: scan.files,
    // What is usual is so by the umask alone.
    modes: { umask: scan.modes.umask, tree: scan.modes.tree },
    repositories: scan.repositories,
    omissions: scan.omissions
      .filter(({ reason }) => reason !== 'ignored')
      .map(({ path, reason }) => `${reason} ${path}`)
      .sort(),
  };
  return coding.hash('sha1', [new TextEncoder().encode(JSON.stringify(said))]);
}
