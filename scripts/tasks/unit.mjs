import { mocha } from '../steps.mjs';

mocha(['test/unit/**/*.test.ts', ...process.argv.slice(2)]);
