import { build, debianPackages, mocha } from '../steps.mjs';

debianPackages({ 'mkfs.btrfs': 'btrfs-progs', sudo: 'sudo' });
build([]);
mocha(['test/process/**/*.test.ts', ...process.argv.slice(2)]);
