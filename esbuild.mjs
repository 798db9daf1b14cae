// Builds all bundles. `--watch` rebuilds on changes, `--production` minifies and omits source maps,
// `--out=FOLDER` replaces dist.
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
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

/** Lets the editor and its threads load one copy of xterm with its widths. The CLI bundles its own, because it is also installed alone. */
const shareXterm = {
  name: 'share-xterm',
  setup(build) {
    build.onResolve({ filter: /^@xterm\/(headless|addon-unicode11)$/ }, () => ({
      path: './xtermHeadless.cjs',
      external: true,
    }));
  },
};

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const bundles = [
  {
    ...node,
    entryPoints: ['src/host/main.ts'],
    outfile: `${outFolder}/host.cjs`,
    external: ['node-pty'],
  },
  {
    ...node,
    stdin: {
      contents: `export { Terminal } from '@xterm/headless';
        export { Unicode11Addon } from '@xterm/addon-unicode11';`,
      resolveDir: '.',
    },
    outfile: `${outFolder}/xtermHeadless.cjs`,
  },
  {
    ...node,
    entryPoints: ['src/host/model/modelWorker.ts'],
    outfile: `${outFolder}/modelWorker.cjs`,
    plugins: [shareXterm],
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
    define: { AH_VERSION: JSON.stringify(version) },
  },
  // Only here `vscode` is external: in other bundles the import fails the build.
  {
    ...node,
    entryPoints: ['src/extension/extension.ts'],
    outfile: `${outFolder}/extension.cjs`,
    external: ['vscode'],
    plugins: [shareXterm],
    // Each new window loads this bundle, so its size counts also without --production.
    minifyWhitespace: true,
    minifySyntax: true,
  },
  {
    ...node,
    entryPoints: ['src/recording/node/recordingWorker.ts'],
    outfile: `${outFolder}/recordingWorker.cjs`,
    plugins: [shareXterm],
  },
  {
    ...node,
    entryPoints: ['src/timeline/node/timelineWorker.ts'],
    outfile: `${outFolder}/timelineWorker.cjs`,
    plugins: [shareXterm],
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
  // For VS Code in a browser: an import of Node's modules fails the build.
  {
    ...browser,
    entryPoints: ['src/extension/web/extension.ts'],
    outfile: `${outFolder}/web/extension.js`,
    format: 'cjs',
    external: ['vscode'],
    alias: { 'brotli-wasm/web': path.resolve(brotliWasm, 'brotli_wasm.js') },
    define: {
      // Used only by a default that we override: VS Code's file system provides the module.
      'import.meta.url': '""',
      // xterm checks features on `window`, which does not exist in the worker of web extensions.
      window: 'globalThis',
    },
  },
  {
    ...browser,
    entryPoints: ['src/webview/recordingPage/main.ts'],
    outfile: `${outFolder}/webview/recordingPage.js`,
    format: 'iife',
  },
  // Also emits the imported style sheet and the font of the icons.
  {
    ...browser,
    entryPoints: { timeline: 'src/webview/timeline/main.ts' },
    outdir: `${outFolder}/webview`,
    format: 'iife',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
];

/**
 * Only the recorder may import node-pty: in another bundle the native module would fail at run
 * time.
 */
const refuseNodePty = {
  name: 'refuse-node-pty',
  setup(build) {
    if (build.initialOptions.outfile === `${outFolder}/host.cjs`) return;
    build.onResolve({ filter: /^node-pty/ }, ({ importer }) => ({
      errors: [{ text: `Only src/host may import node-pty; imported by ${importer}` }],
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
  // src/host loads only the native binding, through this file.
  const pty = ['package.json', 'LICENSE', 'lib/utils.js', `prebuilds/${target}`];
  await stage('node-pty', 'node_modules/node-pty', pty);
  // Without the watcher every snapshot scans the whole workspace.
  const watcher = ['package.json', 'LICENSE', 'watcher.node'];
  await stage(watcherPackage(target), ensureWatcher(target), watcher);
}

const options = bundles.map((bundle) => ({
  ...bundle,
  plugins: [refuseNodePty, ...(bundle.plugins ?? [])],
}));
await stageNatives();
await mkdir(path.join(outFolder, 'web'), { recursive: true });
await cp(path.join(brotliWasm, 'brotli_wasm_bg.wasm'), path.join(outFolder, 'web/brotli.wasm'));
// Shells read these files themselves.
await cp('src/host/shell/scripts', path.join(outFolder, 'shell'), { recursive: true });
if (watch) {
  for (const option of options) await (await esbuild.context(option)).watch();
} else {
  await Promise.all(options.map((option) => esbuild.build(option)));
}
