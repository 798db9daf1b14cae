// Tests on real ZFS, in a virtual machine that is built once from Debian packages (10 minutes).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { build as bundle } from 'esbuild';
import { bin, build, debianPackages } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const scripts = path.join(root, 'test/zfs/vm');

/** The name changes with the sources of the image, so a change rebuilds it. */
function machine() {
  const files = [
    'build.sh',
    ...readdirSync(path.join(scripts, 'guest')).map((name) => `guest/${name}`),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(path.join(scripts, file)));
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(cache, 'ah-time-travel', `zfs-vm-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  debianPackages({
    'gcc-12': 'gcc-12',
    make: 'make',
    perl: 'perl',
    strip: 'binutils',
    cpio: 'cpio',
    xz: 'xz-utils',
  });
  console.log('Building a virtual machine with ZFS (once, about 10 minutes) …');
  // Renamed when complete. The fixed name lets an interrupted build continue.
  const unfinished = `${folder}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  run(path.join(scripts, 'build.sh'), [unfinished]);
  rmSync(path.join(unfinished, 'work'), { recursive: true });
  renameSync(unfinished, folder);
  return folder;
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const vm = machine();
// Other users of the virtual machine must be able to read it: they see this machine's files and
// modes.
const stage = mkdtempSync(path.join(tmpdir(), 'ah-zfs-tests-'));
process.on('exit', () => rmSync(stage, { recursive: true, force: true }));
chmodSync(stage, 0o755);
const node = path.join(stage, 'node');
copyFileSync(process.execPath, node);
build([]);
cpSync(path.join(root, 'dist'), path.join(stage, 'dist'), { recursive: true });
const suites = ['zfsSnapshots', 'zfsSession'];
await bundle({
  entryPoints: [
    ...suites.map((suite) => `test/zfs/${suite}.test.ts`),
    'test/support/volumes/contractMain.ts',
  ],
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  outdir: stage,
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const tests = suites.map((suite) => path.join(stage, `${suite}.test.mjs`));
const mocha = [bin('mocha/bin/mocha.js'), '--no-config', ...tests, ...process.argv.slice(2)];
run(path.join(scripts, 'run.sh'), [vm, node, ...mocha]);
