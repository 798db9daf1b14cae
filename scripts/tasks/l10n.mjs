// Extracts the UI texts into l10n/bundle.l10n.json and lists what the translations lack.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installTool } from '../installTool.mjs';
import { node } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const tool = path.join(
  installTool(path.join(root, 'scripts/l10n'), 'l10n'),
  'node_modules/@vscode/l10n-dev/dist/cli.js',
);
node([
  tool,
  'export',
  '--outDir',
  'l10n',
  'src/extension',
  'src/webview',
  'src/timeline',
  'src/agents',
]);
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
// Sorted, so that moving a source file does not reorder the bundle.
const texts = Object.entries(read('l10n/bundle.l10n.json')).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  path.join(root, 'l10n/bundle.l10n.json'),
  `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`,
);

const pairs = [
  ['l10n/bundle.l10n.json', readdirSync(path.join(root, 'l10n')).map((file) => `l10n/${file}`)],
  ['package.nls.json', readdirSync(root).filter((file) => file.startsWith('package.nls.'))],
];
for (const [source, files] of pairs) {
  const keys = Object.keys(read(source));
  for (const file of files.filter((name) => name !== source)) {
    const translated = read(file);
    for (const key of keys.filter((name) => !(name in translated)))
      console.log(`${file} lacks: ${key}`);
    const stale = Object.keys(translated).filter((name) => !keys.includes(name));
    for (const key of stale) console.log(`${file} no longer needs: ${key}`);
  }
}
