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
  'test/process/{btrfs*,gitSnapshots,sessionSnapshots,snapshotKills}.test.ts',
  // One by one: mocha takes a pattern of braces alone for a name, and finds no such file.
  'test/process/alone/kill.test.ts',
  'test/process/alone/fidelity.test.ts',
  'test/process/branchExactness.test.ts',
  'test/process/branchKilled.test.ts',
  'test/process/branchTrouble.test.ts',
  ...process.argv.slice(2),
]);
