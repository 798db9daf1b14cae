import tseslint from 'typescript-eslint';

const core = ['base', 'recording', 'rpc', 'terminal', 'replay', 'snapshots', 'agents', 'branching'];

/** Layers, innermost first: what each folder may import of the others, which of its own folders are shared in it, and which packages. */
const layers = {
  base: { from: [], packages: [] },
  recording: { from: ['base'], packages: [] },
  rpc: { from: ['base'], packages: [] },
  terminal: { from: ['base', 'recording'], packages: ['@xterm/headless'] },
  replay: { from: ['base', 'recording', 'rpc', 'terminal'], packages: [] },
  snapshots: { from: ['base'], own: ['volume'], packages: [] },
  agents: { from: ['base'], own: ['trim'], packages: [] },
  branching: { from: ['base', 'snapshots', 'agents'], packages: [] },
  node: {
    from: core,
    own: ['files', 'processes', 'recordings', 'sessions', 'transports'],
    packages: ['node:*'],
  },
  host: { from: [...core, 'node'], packages: ['node:*', '@parcel/watcher'] },
  cli: { from: [...core, 'node'], packages: ['node:*', 'commander'] },
  extension: {
    from: [...core, 'node'],
    own: ['recordings', 'sessions', 'terminals', 'timeline'],
    packages: ['node:*', 'vscode'],
  },
  // For a browser: of src/node only what uses nothing of Node's, as the bundler sees to.
  'extension/web': {
    from: ['base', 'recording', 'rpc', 'terminal', 'replay', 'agents', 'node'],
    own: ['recordings'],
    packages: ['vscode', 'brotli-wasm/web'],
  },
  webview: { from: ['base', 'rpc', 'replay'], packages: ['@xterm/xterm'] },
};

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function layerRule([folder, { from, own = [], packages }]) {
  const allowedPackages = packages.map((name) => (name === 'node:*' ? 'node:.*' : escape(name)));
  const allowedFolders = [...from, ...own].map(escape).join('|');
  const patterns = [
    {
      regex: `^\\.\\./(\\.\\./)*(?!${allowedFolders ? `(${allowedFolders})/` : '\\b$'}|\\.\\./|[^/]+\\.ts$)`,
      message: `src/${folder} may import only ${from.map((name) => `src/${name}`).join(', ') || 'itself'}: pass the rest in through a port.`,
    },
    {
      regex: `^(?!\\.)(?!(${allowedPackages.join('|') || '$'})$)`,
      message: `src/${folder} may not import this package: put it behind a port in src/node, or see the table in CONTRIBUTING.md.`,
    },
  ];
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const noDefaultExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: one name per thing.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '.cache/**',
      '.vscode-test/**',
      '.test-results/**',
      '**/*.d.ts',
    ],
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './tsconfig.webview.json'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-empty-function': 'off',
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', noDefaultExports],
    },
  },
  {
    files: ['src/extension/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noDefaultExports,
        {
          selector: 'MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]',
          message: 'The editor makes links of what is in a message: see src/extension/messages.ts.',
        },
      ],
    },
  },
  ...Object.entries(layers).map(layerRule),
  {
    files: ['src/host/ptyProcess.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
