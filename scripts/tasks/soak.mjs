// The long proofs: hundreds of kills, hundreds of thousands of mutations. Takes about half an hour.
import { build, debianPackages, mocha } from '../steps.mjs';

process.env.AH_SOAK = '1';
debianPackages({ 'mkfs.btrfs': 'btrfs-progs' });
build([]);
mocha([
  'test/unit/{recording,terminal}/**/*.test.ts',
  'test/process/{kill,fidelity,btrfs*}.test.ts',
  ...process.argv.slice(2),
]);
