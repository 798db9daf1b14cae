// Collects the texts of the extension into l10n/bundle.l10n.json, and says what the translations lack.
import { globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installTool } from '../installTool.mjs';
import { node } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const tool = path.join(
  installTool(path.join(root, 'scripts/l10n'), 'l10n'),
  'node_modules/@vscode/l10n-dev/dist/cli.js',
);
node([tool, 'export', '--outDir', 'l10n', 'src/extension']);
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
// Pages and threads have a function of their own: the editor gives the texts to them.
const ofPages = globSync('src/{webview,timeline}/**/*.ts', { cwd: root }).flatMap((file) =>
  Array.from(
    readFileSync(path.join(root, file), 'utf8').matchAll(/\bt\(\s*'([^'\\]+)'/g),
    ([, text]) => [text, text],
  ),
);
// In the order of the alphabet: in that of the source files, every move of a file would look like a change.
const texts = Object.entries({
  ...read('l10n/bundle.l10n.json'),
  ...Object.fromEntries(ofPages),
}).sort(([a], [b]) => (a < b ? -1 : 1));
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
