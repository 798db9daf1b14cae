import { globSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

/**
 * Bundles in-host suites and their runner into one file, because the extension host loads neither
 * TypeScript nor ES modules.
 * @param files relative to the project; all suites if empty
 */
export async function bundleSuites(files: readonly string[] = []): Promise<string> {
  const all = globSync('test/vscode/inHost/**/*.test.ts', { cwd: projectFolder });
  const suites = (files.length > 0 ? [...files] : all).sort();
  if (suites.length === 0) throw new Error('There are no suites in test/vscode/inHost.');
  const outfile = path.join(projectFolder, '.vscode-test/inHost.cjs');
  const loads = suites.map((file) => `() => require('./${file.replaceAll(path.sep, '/')}')`);
  await build({
    stdin: {
      contents: `
        import { runSuites } from './test/vscode/harness/mochaInHost.ts';
        export const run = () => runSuites([${loads.join(', ')}]);`,
      resolveDir: projectFolder,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
    // Shared helpers locate project files by their source path, not by the bundle's.
    define: {
      'import.meta.dirname': JSON.stringify(path.join(projectFolder, 'test/support')),
    },
  });
  return outfile;
}
