// The real agents from npm, in recorded terminals, against a mock provider on loopback: no key and no network is needed, but
// for their installation.
import { build, mocha } from '../steps.mjs';

build([]);
mocha(['test/agents/**/*.test.ts', ...process.argv.slice(2)]);
