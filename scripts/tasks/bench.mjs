// Measures against `script`, asciinema and a bare pty, and installs what is missing.
import { build, debianPackages, node } from '../steps.mjs';

debianPackages({ asciinema: 'asciinema', script: 'bsdutils', 'mkfs.btrfs': 'btrfs-progs' });
build(['--production']);
node(['bench/main.ts', ...process.argv.slice(2)]);
