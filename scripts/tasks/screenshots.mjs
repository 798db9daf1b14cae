// Takes the pictures in docs/images, and makes those of the walkthrough from them.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { bin, build, debianPackages, node } from '../steps.mjs';

/** The picture in docs/images for each step of the walkthrough. */
const WALKTHROUGH = {
  record: 'recording',
  timeline: 'timeline',
  snapshots: 'snapshots-compare',
  branch: 'branch',
};
/** Small, since the extension ships them: VS Code shows them at about half of the window. */
const SMALL =
  'scale=900:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none';

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
for (const [step, picture] of Object.entries(WALKTHROUGH)) {
  for (const theme of ['light', 'dark']) {
    const from = path.join(root, `docs/images/${picture}-${theme}.png`);
    const to = path.join(root, `media/walkthrough/${step}-${theme}.png`);
    execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', from, '-vf', SMALL, to]);
  }
}
