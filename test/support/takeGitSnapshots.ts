// Run as `takeGitSnapshots.ts WORKSPACE STORAGE once|forever`: takes snapshots in a process that can be killed, or is another
// user's.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { filesInTree, openReal } from './gitWorkspace.ts';

const [workspace = '', storage = '', mode] = process.argv.slice(2);
const provider = await openReal(workspace, storage);
const signal = new AbortController().signal;
const name = (number: number) => `p${process.pid}-${number}`;
if (mode === 'once') {
  const taken = await provider.take({ name: name(0), label: '', signal });
  const files = [...(await filesInTree(await provider.open(taken.ref))).keys()];
  const omissions = taken.omissions.map((omission) => [omission.path, omission.reason]);
  console.log(JSON.stringify({ files, omissions }));
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
