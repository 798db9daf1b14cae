import { build, vscodeTests } from '../steps.mjs';

build([]);
vscodeTests(process.argv.slice(2));
