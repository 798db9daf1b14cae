// What `npm test` proves: types, lint, format, units, the real processes and the real editor.
import { build, checkFormat, debianPackages, lint, mocha, typecheck } from '../steps.mjs';
import { vscodeTests } from '../steps.mjs';

const args = process.argv.slice(2);
typecheck();
lint();
checkFormat();
debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo' });
build([]);
mocha(['test/unit/**/*.test.ts', 'test/process/**/*.test.ts', ...args]);
vscodeTests(args);
