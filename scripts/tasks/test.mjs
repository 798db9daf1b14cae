// What `npm test` proves: types, lint, format, units, the real processes and the real editor.
import { build, checks, processTests, unitTests, vscodeTests } from '../steps.mjs';

await checks();
build([]);
const given = process.argv.slice(2);
unitTests(given);
processTests(given);
vscodeTests(given);
