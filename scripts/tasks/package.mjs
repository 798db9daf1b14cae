// Packages the extension as .vsix files for the named targets (`linux-x64 darwin-arm64 …`), or for this platform.
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
/** The recorder needs a Unix pseudoterminal, so there is no package for Windows. */
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const named = process.argv.slice(2);
const targets = named.length > 0 ? named : [`${process.platform}-${process.arch}`];
const refused = targets.filter((target) => !TARGETS.includes(target));
if (refused.length > 0) {
  console.error(
    `Can't package ${refused.join(', ')}: the recorder runs on Linux and macOS only. Targets: ${TARGETS.join(', ')}.`,
  );
  process.exit(1);
}

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
  // The bundles contain their dependencies, so the shipped manifest names no packages and no scripts. It has no `type` either:
  // VS Code in a browser can't load extensions of type "module".
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
    'docs/images/timeline-dark.png',
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
