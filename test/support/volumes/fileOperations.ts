import * as fs from 'node:fs';
import path from 'node:path';
import type { Random } from '../random.ts';

/** Names that are hard for shells, listings and decoders. The last one is not UTF-8. */
export const ODD_NAMES: readonly Buffer[] = [
  'new\nline',
  'ta\tb',
  'back\\slash',
  '\\0040',
  'quo\'te"',
  '-dash',
  ' space ',
  '*',
  'ümläut',
  '漢字',
  '%P',
].map((name) => Buffer.from(name));
export const NOT_UTF8 = Buffer.from([0x66, 0xff, 0xfe, 0x67]);

/**
 * Changes files of a folder at random, as an agent or a tool might. Skips impossible operations.
 */
export function randomOperation(random: Random, root: string): void {
  try {
    random.pick(OPERATIONS)(random, root);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!EXPECTED_ERRORS.includes(code)) throw error;
  }
}

const EXPECTED_ERRORS = [
  'ERR_FS_EISDIR',
  'EEXIST',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENOTEMPTY',
  'EINVAL',
  'ELOOP',
  'EPERM',
];
const NAMES = ['a', 'b', 'c', 'd.txt', 'e.ts', 'sub', 'deep', 'x y'];

type Operation = (random: Random, root: string) => void;

const OPERATIONS: readonly Operation[] = [
  (random, root) => fs.writeFileSync(anyPath(random, root), text(random)),
  (random, root) => fs.writeFileSync(anyPath(random, root), text(random)),
  (random, root) => fs.appendFileSync(anyPath(random, root), text(random)),
  (random, root) => fs.mkdirSync(anyPath(random, root), { recursive: true }),
  (random, root) => fs.rmSync(anyPath(random, root), { recursive: true }),
  (random, root) => fs.rmSync(anyPath(random, root)),
  (random, root) => fs.renameSync(anyPath(random, root), anyPath(random, root)),
  (random, root) => fs.renameSync(anyPath(random, root), anyPath(random, root)),
  (random, root) => fs.symlinkSync(random.pick(NAMES), anyPath(random, root)),
  (random, root) => fs.linkSync(anyPath(random, root), anyPath(random, root)),
  (random, root) => setMode(anyPath(random, root), random.pick([0o644, 0o755, 0o600])),
  (random, root) => fs.utimesSync(anyPath(random, root), 1_700_000_000, 1_700_000_000),
  (random, root) => fs.truncateSync(anyPath(random, root), random.below(200)),
  (random, root) => rewrite(anyPath(random, root)),
  (random, root) => swap(root, anyPath(random, root), anyPath(random, root)),
  (random, root) =>
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), random.pick(ODD_NAMES)]),
      text(random),
    ),
];

function anyPath(random: Random, root: string): string {
  const depth = 1 + random.below(3);
  return path.join(root, ...Array.from({ length: depth }, () => random.pick(NAMES)));
}

function text(random: Random): string {
  return `${random.below(1e9)}\n`.repeat(random.pick([0, 1, 20, 2000]));
}

/** A link would lead to another file. */
function setMode(place: string, mode: number): void {
  if (!fs.lstatSync(place).isSymbolicLink()) fs.chmodSync(place, mode);
}

/** The same content, written again. */
function rewrite(place: string): void {
  const content = fs.readFileSync(place);
  fs.rmSync(place);
  fs.writeFileSync(place, content);
}

/** Swaps two names, which a stream of renames does with a third name. */
function swap(root: string, one: string, other: string): void {
  const between = path.join(root, 'between');
  fs.renameSync(one, between);
  try {
    fs.renameSync(other, one);
    fs.renameSync(between, other);
  } catch (error) {
    if (!fs.existsSync(one)) fs.renameSync(between, one);
    else fs.rmSync(between, { recursive: true, force: true });
    throw error;
  }
}
