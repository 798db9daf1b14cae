// What `npm test` proves: types, lint, format, units and the real processes. The real editor has `npm run test:vscode`.
import { build, checkFormat, debianPackages, lint, mocha, typecheck } from '../steps.mjs';

typecheck();
lint();
checkFormat();
debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo' });
build([]);
mocha(['test/unit/**/*.test.ts', 'test/process/**/*.test.ts', ...process.argv.slice(2)]);
