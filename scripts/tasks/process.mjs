import { build, processTests } from '../steps.mjs';

build([]);
processTests(process.argv.slice(2));
