import { bin, build, node } from '../steps.mjs';

build([]);
node([
  bin('mocha/bin/mocha.js'),
  '--require',
  'test/vscode/harness/journeyHooks.ts',
  'test/vscode/screenshots/**/*.test.ts',
  ...process.argv.slice(2),
]);
