// Packages the extension as .vsix files for the named targets (`linux-x64 darwin-arm64 …`), or for this platform.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { installTool } from '../installTool.mjs';
import { brokenLinks } from '../package/brokenLinks.mjs';
import { node } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** The recorder needs a Unix pseudoterminal, so there is no package for Windows. */
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'web'];
const MEBIBYTE = 2 ** 20;
/** Every update is downloaded as a whole, so growth needs a reason. */
const MAX_MEBIBYTES = { withPictures: 2.8, withoutPictures: 1.8 };
const named = process.argv.slice(2);
const targets = named.length > 0 ? named : [`${process.platform}-${process.arch}`];
const refused = targets.filter((target) => !TARGETS.includes(target));
if (refused.length > 0) {
  fail(
    `Can't package ${refused.join(', ')}: the recorder runs on Linux and macOS only, and browsers can read recordings. Targets: ${TARGETS.join(', ')}.`,
  );
}

const vsce = path.join(
  installTool(path.join(root, 'scripts/vsce'), 'vsce'),
  'node_modules/@vscode/vsce/vsce',
);
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const docs = shippedDocs();
for (const target of targets) {
  const stage = path.join(root, '.cache/package', target);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  node(['esbuild.mjs', '--production', `--out=${path.relative(root, stage)}/dist`], {
    // The bundle for browsers has no native parts; any platform's are built and dropped.
    env: { ...process.env, AH_TARGET: target === 'web' ? TARGETS[0] : target },
  });
  // The bundles contain their dependencies, so the shipped manifest names no packages and no scripts. It has no `type` either:
  // VS Code in a browser can't load extensions of type "module".
  const { scripts, dependencies, devDependencies, allowScripts, bin, type, ...shipped } = manifest;
  dropOtherBundles(stage, target, shipped);
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(shipped));
  for (const part of [
    'package.nls.json',
    'package.nls.de.json',
    'l10n',
    'LICENSE',
    'media',
    ...docs,
    '.vscodeignore',
  ]) {
    if (existsSync(part)) cpSync(part, path.join(stage, part), { recursive: true });
  }
  writeFileSync(path.join(stage, 'README.md'), shippedReadme());
  // vsce packs the changelog under this lower-case name, so links must use it.
  cpSync('CHANGELOG.md', path.join(stage, 'changelog.md'));
  const broken = brokenLinks(stage);
  if (broken.length > 0) fail(broken.join('\n'));
  const file = path.join(root, `${manifest.name}-${target}-${manifest.version}.vsix`);
  const options = ['--no-dependencies', '--target', target, '--out', file];
  node([vsce, 'package', '--allow-missing-repository', '--no-rewrite-relative-links', ...options], {
    cwd: stage,
  });
  checkSize(file, stage);
}

/** Removes what the other kind of package runs, which is a third of the size. */
function dropOtherBundles(stage, target, shipped) {
  const dist = path.join(stage, 'dist');
  if (target !== 'web') {
    delete shipped.browser;
    rmSync(path.join(dist, 'web'), { recursive: true });
    return;
  }
  delete shipped.main;
  for (const name of readdirSync(dist))
    if (name !== 'web' && name !== 'webview') rmSync(path.join(dist, name), { recursive: true });
}

/** The users' documentation, the pictures in it, and the description of the format. */
function shippedDocs() {
  const texts = globSync('docs/*.md', { cwd: root });
  const pictures = ['README.md', ...texts].flatMap((text) =>
    Array.from(
      readFileSync(path.join(root, text), 'utf8').matchAll(/images\/[\w-]+\.(?:png|gif)/g),
      String,
    ),
  );
  const files = new Set(pictures.map((picture) => `docs/${picture}`));
  return [...texts, ...files, 'src/recording/README.md'];
}

/**
 * The README without the parts that need a clone: the commands for contributors and links to tests.
 */
function shippedReadme() {
  return readFileSync(path.join(root, 'README.md'), 'utf8')
    .replace(/^## Commands for contributors\n.*?(?=^## )/ms, '')
    .replace(/^\[tested\]: .*\n+/m, '')
    .replaceAll('[tested]', 'tested')
    .replace('(CHANGELOG.md)', '(changelog.md)');
}

function checkSize(file, stage) {
  // Pictures are compressed already, so they take the same space in the package.
  const pictures = globSync('{docs,media}/**/*.{png,gif}', { cwd: stage });
  const pictureBytes = pictures.reduce(
    (sum, each) => sum + statSync(path.join(stage, each)).size,
    0,
  );
  const { size } = statSync(file);
  const withPictures = size / MEBIBYTE;
  const withoutPictures = (size - pictureBytes) / MEBIBYTE;
  const sizes = `${withPictures.toFixed(2)} MiB, ${withoutPictures.toFixed(2)} MiB without pictures`;
  console.log(`${path.basename(file)}: ${sizes}`);
  if (withPictures > MAX_MEBIBYTES.withPictures || withoutPictures > MAX_MEBIBYTES.withoutPictures)
    fail(
      `The package is too large: at most ${MAX_MEBIBYTES.withPictures} MiB, ${MAX_MEBIBYTES.withoutPictures} MiB without pictures.`,
    );
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
