import { build, mocha } from '../steps.mjs';

build([]);
mocha([
  ...['--require', 'test/vscode/harness/journeyHooks.ts'],
  'test/vscode/screenshots/**/*.test.ts',
  ...process.argv.slice(2),
]);
