// The long proofs: hundreds of kills, hundreds of thousands of mutations, ten thousand snapshots. Takes about an hour and a half.
import { build, debianPackages, mocha } from '../steps.mjs';

process.env.AH_SOAK = '1';
debianPackages({ 'mkfs.btrfs': 'btrfs-progs' });
build([]);
mocha([
  'test/unit/{recording,terminal}/**/*.test.ts',
  'test/unit/replay/randomSeeks.test.ts',
  'test/unit/node/growingRecording.test.ts',
  'test/unit/snapshots/git/*.test.ts',
  'test/process/btrfs/*.test.ts',
  'test/process/snapshots/{gitSnapshots,sessionSnapshots,snapshotKills}*.test.ts',
  'test/process/recording/alone/{kill,fidelity}*.test.ts',
  'test/process/branching/{branchExactness,branchKilled,branchTrouble}*.test.ts',
  ...process.argv.slice(2),
]);
