// Builds every bundle. `--watch` rebuilds on change, `--production` minifies and leaves the source maps out, `--out=FOLDER`
// builds elsewhere than into dist.
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';
import { ensureWatcher, watcherPackage } from './scripts/watcher.mjs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const out = process.argv.find((option) => option.startsWith('--out='))?.slice('--out='.length);
const outFolder = out ?? 'dist';

const base = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  legalComments: 'none',
};
const browser = { ...base, platform: 'browser', target: 'es2022' };
const brotliWasm = 'node_modules/brotli-wasm/pkg.web';
const node = { ...base, platform: 'node', format: 'cjs', target: 'node20' };

const bundles = [
  {
    ...node,
    entryPoints: ['src/host/main.ts'],
    outfile: `${outFolder}/host.cjs`,
    external: ['node-pty'],
  },
  {
    ...node,
    entryPoints: ['src/host/model/modelWorker.ts'],
    outfile: `${outFolder}/modelWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/host/pty/ptyReaderWorker.ts'],
    outfile: `${outFolder}/ptyReaderWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/cli/main.ts'],
    outfile: `${outFolder}/cli.cjs`,
    banner: { js: '#!/usr/bin/env node' },
  },
  // The only one that may leave `vscode` to its surroundings: anywhere else the import fails the build.
  {
    ...node,
    entryPoints: ['src/extension/extension.ts'],
    outfile: `${outFolder}/extension.cjs`,
    external: ['vscode'],
    // Loaded whenever a window opens: every character is read then.
    minifyWhitespace: true,
    minifySyntax: true,
  },
  {
    ...node,
    entryPoints: ['src/recording/node/recordingWorker.ts'],
    outfile: `${outFolder}/recordingWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/timeline/node/timelineWorker.ts'],
    outfile: `${outFolder}/timelineWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/platform/node/files/statWorker.ts'],
    outfile: `${outFolder}/statWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/search/node/searchWorker.ts'],
    outfile: `${outFolder}/searchWorker.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/timeline/node/patternWorker.ts'],
    outfile: `${outFolder}/patternWorker.cjs`,
  },
  // For a browser, where an import of Node's modules fails the build.
  {
    ...browser,
    entryPoints: ['src/extension/web/extension.ts'],
    outfile: `${outFolder}/web/extension.js`,
    format: 'cjs',
    external: ['vscode'],
    alias: { 'brotli-wasm/web': path.resolve(brotliWasm, 'brotli_wasm.js') },
    define: {
      // Only for a default that is never used: the module comes through the editor's own file system.
      'import.meta.url': '""',
      // The terminal asks a window what it can do; extensions run in a worker, which has none.
      window: 'globalThis',
    },
  },
  {
    ...browser,
    entryPoints: ['src/webview/recordingPage/main.ts'],
    outfile: `${outFolder}/webview/recordingPage.js`,
    format: 'iife',
  },
  // Beside the script comes the style sheet that it imports, with the font of the icons.
  {
    ...browser,
    entryPoints: { timeline: 'src/webview/timeline/main.ts' },
    outdir: `${outFolder}/webview`,
    format: 'iife',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
];

/** The native module belongs to the recorder host alone: anywhere else it would bundle, and break when it runs. */
const refuseNodePty = {
  name: 'refuse-node-pty',
  setup(build) {
    if (build.initialOptions.outfile === `${outFolder}/host.cjs`) return;
    build.onResolve({ filter: /^node-pty/ }, ({ importer }) => ({
      errors: [{ text: `node-pty may be used by the recorder host only; imported by ${importer}` }],
    }));
  },
};

const target = process.env.AH_TARGET ?? `${process.platform}-${process.arch}`;

/** Copies the native modules of one platform beside the host bundle. */
async function stageNatives() {
  const folder = path.resolve(outFolder, 'node_modules');
  await rm(folder, { recursive: true, force: true });
  const isShipped = (file) => !/\.(test\.js|pdb|map)$/.test(file);
  const stage = async (name, from, parts) => {
    for (const part of parts) {
      const to = path.join(folder, name, part);
      await mkdir(path.dirname(to), { recursive: true });
      await cp(path.resolve(from, part), to, { recursive: true, filter: isShipped });
    }
  };
  const pty = ['package.json', 'LICENSE', 'lib', `prebuilds/${target}`];
  await stage('node-pty', 'node_modules/node-pty', pty);
  // Without it every snapshot looks at the whole workspace.
  const watcher = ['package.json', 'LICENSE', 'watcher.node'];
  await stage(watcherPackage(target), ensureWatcher(target), watcher);
}

const options = bundles.map((bundle) => ({ ...bundle, plugins: [refuseNodePty] }));
await stageNatives();
await mkdir(path.join(outFolder, 'web'), { recursive: true });
await cp(path.join(brotliWasm, 'brotli_wasm_bg.wasm'), path.join(outFolder, 'web/brotli.wasm'));
if (watch) {
  for (const option of options) await (await esbuild.context(option)).watch();
} else {
  await Promise.all(options.map((option) => esbuild.build(option)));
}
