import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { BranchRecord } from '../../../../src/branching/common/branchRecord.ts';
import { defaultPlace } from '../../../../src/branching/node/branchPlace.ts';
import { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import { branchLaunchSpec } from '../../../../src/branching/node/make/launchBranch.ts';
import { carryFiles } from '../../../../src/branching/node/carry/carryFiles.ts';
import { placeOf } from '../../../../src/branching/node/plan/momentPlace.ts';
import { nodeProcesses } from '../../../../src/platform/node/processes/processes.ts';
import { userGit } from '../../../support/gitWorkspace.ts';
import { output, write } from '../../../support/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const { signal } = new AbortController();

function record(more: Partial<BranchRecord> = {}): BranchRecord {
  return {
    ...{ version: 1, id: 'b1', name: 'n', state: 'ready', owner: nodeProcesses.own, kind: 'clone' },
    ...{ provider: 'git', createdAtNs: 1n, destination: '/d', workspace: '/d' },
    from: {
      ...{ sessionId: 's', workspace: '/w', snapshotId: 1n, snapshotRef: 'r', byte: 0 },
      timeNs: 1n,
    },
    launch: {
      ...{ cmd: ['x'], cwd: '/d', env: {}, method: 'replay', warnings: [], details: {} },
      isWaiting: true,
    },
    ...more,
  };
}

describe('the registry of branches', () => {
  const folder = useTemporaryFolder();

  it('lets one window start a branch, and no other', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(record());
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => new BranchRegistry(folder.path).claimLaunch('b1')),
    );
    assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
    assert.equal(await registry.claimLaunch('b1'), undefined, 'nor later');
    assert.equal(existsSync(path.join(folder.path, 'b1.claim')), false);
  });

  it('does not wait for a window that died with the claim', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(record());
    writeFileSync(path.join(folder.path, 'b1.claim'), '999999-gone');
    assert.ok(await registry.claimLaunch('b1'));
  });

  it('finds by name, folder, id or the end of it, and says what it does not find', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(record());
    await registry.put(record({ id: 'b2', name: 'n', workspace: '/other', destination: '/other' }));
    writeFileSync(path.join(folder.path, 'broken.json'), '{');
    assert.equal((await registry.list()).length, 2);
    assert.equal((await registry.find('/other')).id, 'b2');
    assert.equal((await registry.find('2')).id, 'b2');
    await assert.rejects(registry.find('n'), /2 branches match/);
    await assert.rejects(registry.find(''), /no branch/);
    assert.equal(await registry.get('../b1'), undefined);
  });

  it('knows what a kill left behind', async () => {
    const registry = new BranchRegistry(folder.path);
    assert.equal(await registry.isLeftover(record({ state: 'making' })), false, 'being made by us');
    assert.equal(
      await registry.isLeftover(record({ state: 'making', owner: '999999-gone' })),
      true,
    );
    assert.equal(await registry.isLeftover(record({ owner: '999999-gone' })), false);
  });
});

describe('what a branch is launched with', () => {
  const place = {
    ...{ sessionsFolder: '/s', env: { PATH: '/bin', AH_BRANCH_MESSAGE: 'of another' } },
    ...{ brotliQ: 4, keepsFiles: true, waitForClient: false },
  };

  it('is its own command and environment, and nothing of the branch that it is launched from', () => {
    const { launch } = record();
    const env = { AH_BRANCH_ID: 'b1', KEY: 'v' };
    const spec = branchLaunchSpec(
      record({ launch: { ...launch!, cmd: ['/bin/sh', '-x'], env } }),
      place,
    );
    assert.deepEqual(spec.cmd, ['/bin/sh', '-x']);
    assert.deepEqual(spec.env, { PATH: '/bin', AH_BRANCH_ID: 'b1', KEY: 'v' });
    assert.deepEqual([spec.id, spec.folder, spec.workspace], ['b1', '/s/b1', '/d']);
    assert.equal(spec.branchOf?.fromSessionId, 's');
  });

  it('is refused for one that is not complete', () => {
    assert.throws(() => branchLaunchSpec(record({ state: 'making' }), place), {
      code: 'not-ready',
    });
  });
});

describe('bringing ignored files along', () => {
  const folder = useTemporaryFolder();
  const places = () => ({ from: path.join(folder.path, 'from'), to: path.join(folder.path, 'to') });

  beforeEach(() => {
    const { from, to } = places();
    for (const each of [`${from}/node_modules/.bin`, to, `${folder.path}/outside`]) {
      mkdirSync(each, { recursive: true });
    }
    writeFileSync(`${from}/node_modules/tool.js`, 'x');
    symlinkSync('../tool.js', `${from}/node_modules/.bin/tool`);
  });

  it('copies with links as they are, and leaves what is there', async () => {
    const { from, to } = places();
    writeFileSync(`${from}/.env`, 'theirs');
    writeFileSync(`${to}/.env`, 'ours');
    const paths = ['.env', 'gone', 'node_modules'];
    const seen: string[] = [];
    const onProgress = (name: string) => seen.push(name);
    const { carried } = await carryFiles({ from, to, paths, mode: 'copy', signal, onProgress });
    assert.deepEqual(carried, ['node_modules']);
    assert.equal(readlinkSync(`${to}/node_modules/.bin/tool`), '../tool.js');
    assert.equal(readFileSync(`${to}/.env`, 'utf8'), 'ours');
    assert.deepEqual(seen, [...paths, '']);
  });

  it('links where that is wanted', async () => {
    const { from, to } = places();
    await carryFiles({ from, to, paths: ['node_modules'], mode: 'link', signal });
    assert.ok(lstatSync(`${to}/node_modules`).isDirectory(), 'a rule for folders hides it');
    assert.equal(readlinkSync(`${to}/node_modules/.bin`), `${from}/node_modules/.bin`);
  });

  it('never writes through a link that leads out of the branch', async () => {
    const { from, to } = places();
    mkdirSync(`${from}/packages/a/dist`, { recursive: true });
    symlinkSync(`${folder.path}/outside`, `${to}/packages`);
    const paths = ['packages/a/dist'];
    const { carried } = await carryFiles({ from, to, paths, mode: 'copy', signal });
    assert.deepEqual(carried, []);
    assert.ok(!existsSync(`${folder.path}/outside/a`));
  });

  it('stops when cancelled', async () => {
    const stop = AbortSignal.abort();
    await assert.rejects(
      carryFiles({ ...places(), paths: ['node_modules'], mode: 'copy', signal: stop }),
    );
  });
});

describe('the place of a branch', () => {
  const folder = useTemporaryFolder();

  it('is beside the project, but not inside of another repository', async () => {
    const project = path.join(folder.path, 'project');
    mkdirSync(project);
    assert.equal(defaultPlace(project, 'x'), `${project}.branches/x`);
    await userGit(folder.path, 'init', '-q');
    assert.ok(!defaultPlace(project, 'x').startsWith(folder.path));
  });
});

describe('the place of a moment', () => {
  const folder = useTemporaryFolder();

  it('is said in bytes and in time, whichever was given', async () => {
    const file = path.join(folder.path, 'x.ahr');
    // 50 bytes each, at second 1 and as many nanoseconds as bytes before.
    writeFileSync(file, (await write(output(1000, 50), 3)).bytes);
    const at = (nanoseconds: number) => 1_000_000_000n + BigInt(nanoseconds);
    const byBytes = await placeOf(file, { kind: 'byte', byteOffset: 510 });
    assert.deepEqual(byBytes, { byte: 510, timeNs: at(450) });
    const byTime = await placeOf(file, { kind: 'clock', tsNs: at(460) });
    assert.deepEqual(byTime, { byte: 500, timeNs: at(460) });
    assert.equal((await placeOf(file, { kind: 'elapsed', seconds: 60 })).byte, 1000);
    await assert.rejects(placeOf(file, { kind: 'clock', tsNs: 5n }), /began after that time/);
    await assert.rejects(placeOf(`${file}x`, { kind: 'elapsed', seconds: 1 }), /cannot be opened/);
  });
});
