// The real agents from npm, in recorded terminals, against a mock provider on loopback: no key and no network is needed, but
// for their installation.
import { build, mocha } from '../steps.mjs';

build([]);
const fixtures = process.env['UPDATE_FIXTURES'] ? ['test/agents/fixtures.ts'] : [];
mocha([...fixtures, 'test/agents/**/*.test.ts', ...process.argv.slice(2)]);
