// What `npm test` proves: types, lint, format, units, the real processes and the real editor.
import {
  build,
  checkFormat,
  debianPackages,
  lint,
  mocha,
  typecheck,
  unitTests,
  vscodeTests,
} from '../steps.mjs';

typecheck();
lint();
checkFormat();
debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo' });
build([]);
const given = process.argv.slice(2);
unitTests(given);
mocha(['test/process/**/*.test.ts', ...given]);
vscodeTests(given);
