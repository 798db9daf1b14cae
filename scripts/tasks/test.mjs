// What `npm test` proves: types, lint, format, units, the real processes and the real editor.
import {
  build,
  checkFormat,
  lint,
  processTests,
  typecheck,
  unitTests,
  vscodeTests,
} from '../steps.mjs';

typecheck();
lint();
checkFormat();
build([]);
const given = process.argv.slice(2);
unitTests(given);
processTests(given);
vscodeTests(given);
