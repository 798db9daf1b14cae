import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { dist } from '../../test/support/ah.ts';
import { median, type Row } from '../row.ts';

const RUNS = 15;
const BUDGET_MS = 50;

/** Loads and activates the extension with an editor API whose functions cost nothing. */
const SCRIPT = `
const Module = require('node:module');
const anything = () => new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything()),
  getPrototypeOf: () => anything(), // Copies of modules in the bundle keep only the prototype.
  set: () => true,
  apply: () => anything(),
  construct: () => anything(),
});
// In an extension host, Node's own modules are loaded already.
for (const name of Module.builtinModules) if (!/^_|^node:|inspector/.test(name)) require(name);
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? anything() : load(name, ...rest));
const [file, folder] = process.argv.slice(1);
const uri = { fsPath: folder, path: folder };
const state = { get: (_, fallback) => fallback, update: async () => {}, keys: () => [] };
const context = {
  subscriptions: [],
  extensionPath: folder,
  extension: { id: 'a.b' },
  extensionUri: uri,
  storageUri: uri,
  globalStorageUri: uri,
  logUri: uri,
  workspaceState: state,
  globalState: state,
};
const start = performance.now();
require(file).activate(context);
console.log(performance.now() - start);
process.exit(0);`;

/** The extension host's time for loading and activating the extension. */
export async function activationRows(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-bench-'));
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const args = ['-e', SCRIPT, path.join(dist, 'extension.cjs'), folder];
    const env = { ...process.env, AH_DATA_DIR: folder };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    times.push(Number(stdout));
  }
  await rm(folder, { recursive: true, force: true });
  const measured = median(times);
  return [
    {
      what: 'activation, loading included',
      measured: `${measured.toFixed(1)} ms (fastest ${Math.min(...times).toFixed(1)} ms)`,
      budget: `≤ ${BUDGET_MS} ms`,
      isWithin: measured <= BUDGET_MS,
    },
  ];
}
