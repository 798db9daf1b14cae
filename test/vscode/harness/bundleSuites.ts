import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

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
    plugins: [sourceFolders],
  });
  return outfile;
}

/** Sources locate project files by their own path, not by the bundle's. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  setup(build) {
    build.onLoad({ filter: /[\\/](?:test|src)[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll(
        'import.meta.dirname',
        JSON.stringify(path.dirname(file)),
      ),
      loader: 'ts',
    }));
  },
};
