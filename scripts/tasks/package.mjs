// Makes the extension's .vsix for the platforms named (`linux-x64 darwin-arm64 …`), or for this one. Native binaries keep
// their permissions only when packed on Linux or macOS.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { installTool } from '../installTool.mjs';
import { node } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const named = process.argv.slice(2);
const targets = named.length > 0 ? named : [`${process.platform}-${process.arch}`];

const vsce = path.join(
  installTool(path.join(root, 'scripts/vsce'), 'vsce'),
  'node_modules/@vscode/vsce/vsce',
);
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
for (const target of targets) {
  const stage = path.join(root, '.cache/package', target);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  node(['esbuild.mjs', '--production', `--out=${path.relative(root, stage)}/dist`], {
    env: { ...process.env, AH_TARGET: target },
  });
  // Everything the bundles need is in them: what is shipped asks for no packages, and has no scripts. Nor has it a type: the
  // editor in a browser takes every extension of type "module" for one that it cannot load.
  const { scripts, dependencies, devDependencies, allowScripts, bin, type, ...shipped } = manifest;
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(shipped));
  for (const part of [
    'package.nls.json',
    'package.nls.de.json',
    'l10n',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'media',
    '.vscodeignore',
  ]) {
    if (existsSync(part)) cpSync(part, path.join(stage, part), { recursive: true });
  }
  const file = path.join(root, `${manifest.name}-${target}-${manifest.version}.vsix`);
  const options = ['--no-dependencies', '--target', target, '--out', file];
  node([vsce, 'package', '--allow-missing-repository', '--no-rewrite-relative-links', ...options], {
    cwd: stage,
  });
  console.log(`${path.basename(file)}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
}
