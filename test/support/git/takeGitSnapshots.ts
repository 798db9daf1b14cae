// Run as `takeGitSnapshots.ts WORKSPACE STORAGE once|forever|closing`: takes snapshots in a process
// that can be killed, or that becomes the user AH_TEST_UID.
import { appendFileSync, chmodSync } from 'node:fs';
import path from 'node:path';
import type { TakenSnapshot } from '../../../src/snapshots/common/provider.ts';
import { filesInTree, openReal } from './gitWorkspace.ts';

const [workspace = '', storage = '', mode] = process.argv.slice(2);
// Only after all modules are loaded: another user may not read a project in a private home folder.
const uid = Number(process.env['AH_TEST_UID'] ?? NaN);
if (!Number.isNaN(uid)) {
  process.chdir(workspace);
  process.setgroups?.([]);
  process.setuid?.(uid);
}
const provider = await openReal(workspace, storage);
const signal = new AbortController().signal;
const name = (number: number) => `p${process.pid}-${number}`;
const stateOf = async (taken: TakenSnapshot) => {
  const files = [...(await filesInTree(await provider.open(taken.ref))).keys()];
  return { files, omissions: taken.omissions.map(({ path: file, reason }) => [file, reason]) };
};
if (mode === 'once') {
  const taken = await provider.take({ name: name(0), label: '', signal });
  console.log(JSON.stringify(await stateOf(taken)));
  provider.dispose();
} else if (mode === 'closing') {
  // Makes one folder after the other unreadable, and takes an incremental snapshot and a full scan
  // after each. An entry is `[folder, mode, changed paths]`.
  const closings = JSON.parse(process.argv[5] ?? '[]') as [string, number, string][];
  const states: unknown[] = [];
  let number = 0;
  const take = (changedPaths?: string[]) => {
    const request = { name: name((number += 1)), label: '', signal };
    return provider.take(changedPaths ? { ...request, changedPaths } : request);
  };
  for (const [folder, closed, told] of closings) {
    await take();
    chmodSync(path.join(workspace, folder), closed);
    states.push([await stateOf(await take([told])), await stateOf(await take())]);
    chmodSync(path.join(workspace, folder), 0o755);
  }
  console.log(JSON.stringify(states));
  provider.dispose();
} else {
  for (let number = 0; ; number += 1) {
    const file = `f${number % 60}`;
    appendFileSync(path.join(workspace, file), `${process.pid} ${number}\n`);
    const changedPaths = number % 2 === 0 ? undefined : [file];
    const request = { name: name(number), label: '', signal };
    const { ref } = await provider.take(changedPaths ? { ...request, changedPaths } : request);
    console.log(ref);
  }
}
