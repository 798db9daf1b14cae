// Takes the pictures in docs/images, makes those of the walkthrough from them, and shrinks them.
import { execFileSync } from 'node:child_process';
import { globSync, renameSync } from 'node:fs';
import path from 'node:path';
import { bin, build, debianPackages, node } from '../steps.mjs';

/** The picture in docs/images for each step of the walkthrough. */
const WALKTHROUGH = {
  record: 'recording',
  timeline: 'timeline',
  snapshots: 'snapshots-compare',
  branch: 'branch',
};
/** VS Code shows the pictures of the walkthrough at about half of the window. */
const HALF = 'scale=800:-1:flags=lanczos,';
/** One palette for each picture: the extension ships them, and has to be small. */
const PALETTE = 'split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none';

debianPackages({ ffmpeg: 'ffmpeg' });
build([]);
node([
  bin('mocha/bin/mocha.js'),
  '--require',
  'test/vscode/harness/journeyHooks.ts',
  'test/vscode/screenshots/**/*.test.ts',
  ...process.argv.slice(2),
]);

const root = path.resolve(import.meta.dirname, '../..');
const pictures = path.join(root, 'docs/images');
for (const [step, picture] of Object.entries(WALKTHROUGH)) {
  for (const theme of ['light', 'dark']) {
    const to = path.join(root, `media/walkthrough/${step}-${theme}.png`);
    convert(path.join(pictures, `${picture}-${theme}.png`), HALF + PALETTE, to);
  }
}
for (const file of globSync('*.png', { cwd: pictures })) {
  const picture = path.join(pictures, file);
  const small = path.join(pictures, '.small.png');
  convert(picture, PALETTE, small);
  renameSync(small, picture);
}

function convert(from, filter, to) {
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', from, '-vf', filter, to]);
}
