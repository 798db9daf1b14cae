// Which part of `src` may import which. A file belongs to the layer with the longest folder that holds it.

/**
 * @typedef {object} Layer
 * @property {string} folder
 * @property {readonly string[]} imports other folders it may import from
 * @property {readonly string[]} packages packages it may import; `node:` stands for all of Node's modules
 * @property {string} advice what to do instead of a forbidden import
 */

const PORT = 'Code here runs anywhere: take what it needs of the outside through a port.';
const USE_CASE =
  'Move what a use case needs of a user interface, the recorder or a later tier into a parameter or an event.';
const ADAPTER = 'Define a port that the adapter implements, and let the feature call it.';
const COMPOSITION = 'Move what both need into a feature.';
const PAGE = 'Ask the extension for it through the channel: a page owns no data.';
const BROWSER = 'Use what a browser has too, or a port: there is no Node here.';

const RECORDING = ['src/recording/format', 'src/recording/read', 'src/recording/write'];
const SNAPSHOTS = ['common', 'volume', 'git', 'btrfs', 'zfs'].map(
  (name) => `src/snapshots/${name}`,
);
/** Each may import those before it. */
const AGENTS = ['src/agents/common', 'src/agents/trim', 'src/agents/adapters'];

/** Folders whose code runs anywhere, in Node and in a browser. */
const ANYWHERE = [
  'src/base',
  'src/rpc',
  ...RECORDING,
  'src/redaction',
  'src/terminal',
  ...SNAPSHOTS,
  ...AGENTS,
  'src/sessions/common',
  'src/branching/common',
  'src/timeline/common',
  'src/scrub/common',
];
/** Each may import its own tier and those before it. */
const USE_CASE_TIERS = [
  ['sessions'],
  ['snapshots'],
  ['agents'],
  ['branching'],
  ['timeline', 'search', 'scrub', 'recording'],
].map((features) => features.map((feature) => `src/${feature}/node`));
const USE_CASES = USE_CASE_TIERS.flat();
const BELOW_COMPOSITION = [...ANYWHERE, 'src/platform', ...USE_CASES];

/** @type {readonly Layer[]} */
export const LAYERS = [
  pure('src/base', []),
  pure('src/rpc', ['src/base']),
  ...RECORDING.map((folder) => pure(folder, ['src/base', ...RECORDING])),
  pure('src/redaction', ['src/base']),
  pure('src/terminal', ['src/base', ...RECORDING], ['@xterm/headless', '@xterm/addon-unicode11']),
  pure('src/snapshots/common', ['src/base']),
  pure('src/snapshots/volume', ['src/base', 'src/snapshots/common']),
  ...['git', 'btrfs', 'zfs'].map((provider) =>
    pure(`src/snapshots/${provider}`, ['src/base', 'src/snapshots/common', 'src/snapshots/volume']),
  ),
  pure('src/agents/common', ['src/base', 'src/redaction'], ['@vscode/l10n']),
  ...AGENTS.slice(1).map((folder, index) =>
    pure(folder, ['src/base', 'src/redaction', ...AGENTS.slice(0, index + 2)], ['@vscode/l10n']),
  ),
  pure('src/sessions/common', ['src/base', 'src/rpc']),
  pure('src/branching/common', ['src/base', 'src/snapshots/common', 'src/agents/common']),
  pure(
    'src/timeline/common',
    ['src/base', 'src/rpc', ...RECORDING, 'src/terminal'],
    ['@vscode/l10n'],
  ),
  pure('src/scrub/common', ['src/base', ...RECORDING]),
  { folder: 'src/platform/shared', imports: ['src/base'], packages: [], advice: BROWSER },
  {
    folder: 'src/platform/node',
    imports: ['src/base', 'src/rpc', ...RECORDING, 'src/terminal', 'src/snapshots/common'],
    packages: ['node:'],
    advice: ADAPTER,
  },
  ...USE_CASES.map((folder) => ({
    folder,
    imports: belowUseCase(folder),
    packages: folder === 'src/timeline/node' ? ['node:', '@vscode/l10n'] : ['node:'],
    advice: USE_CASE,
  })),
  {
    folder: 'src/snapshots/node/watch',
    imports: belowUseCase('src/snapshots/node'),
    packages: ['node:', '@parcel/watcher'],
    advice: USE_CASE,
  },
  composition('src/host', ['node:']),
  composition('src/host/pty', ['node:', 'node-pty/lib/utils.js']),
  composition('src/cli', ['node:', 'commander']),
  composition('src/extension', ['node:', 'vscode', '@vscode/l10n']),
  {
    folder: 'src/extension/web',
    imports: [...ANYWHERE, 'src/platform/shared', 'src/extension'],
    packages: ['vscode', 'brotli-wasm/web'],
    advice: BROWSER,
  },
  {
    folder: 'src/webview',
    imports: ['src/base', 'src/rpc', 'src/timeline/common'],
    packages: ['@vscode/l10n', '@xterm/xterm', '@xterm/addon-unicode11'],
    advice: PAGE,
  },
];

function pure(folder, imports, packages = []) {
  return { folder, imports, packages, advice: PORT };
}

/** @param {string} folder of a use case */
function belowUseCase(folder) {
  const tier = USE_CASE_TIERS.findIndex((folders) => folders.includes(folder));
  return [...ANYWHERE, 'src/platform', ...USE_CASE_TIERS.slice(0, tier + 1).flat()];
}

function composition(folder, packages) {
  // The parts of one composition import each other.
  const own = folder.split('/').slice(0, 2).join('/');
  return { folder, imports: [...BELOW_COMPOSITION, own], packages, advice: COMPOSITION };
}

/** @param {string} file relative to the project, with `/` @returns {Layer | undefined} */
export function layerOf(file) {
  return LAYERS.filter(({ folder }) => file.startsWith(`${folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];
}
