import { build, node } from '../steps.mjs';

build([]);
node(['test/vscode/harness/electronMain.ts', ...process.argv.slice(2)]);
