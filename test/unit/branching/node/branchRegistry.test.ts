import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import { branchRecord } from '../../../support/branching/branchRecord.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the registry of branches', () => {
  const folder = useTemporaryFolder();

  it('lets only one window start a branch', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(branchRecord());
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => new BranchRegistry(folder.path).claimLaunch('b1')),
    );
    assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
    assert.equal(await registry.claimLaunch('b1'), undefined, 'nor later');
    assert.equal(existsSync(path.join(folder.path, 'b1.claim')), false);
  });

  it('ignores the claim of a dead process', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(branchRecord());
    writeFileSync(path.join(folder.path, 'b1.claim'), '999999-gone');
    assert.ok(await registry.claimLaunch('b1'));
  });

  it('finds branches by name, folder, ID or end of an ID', async () => {
    const registry = new BranchRegistry(folder.path);
    await registry.put(branchRecord());
    await registry.put(
      branchRecord({ id: 'b2', name: 'n', workspace: '/other', destination: '/other' }),
    );
    writeFileSync(path.join(folder.path, 'broken.json'), '{');
    assert.equal((await registry.list()).length, 2);
    assert.equal((await registry.find('/other')).id, 'b2');
    assert.equal((await registry.find('2')).id, 'b2');
    await assert.rejects(registry.find('n'), /2 branches match/);
    await assert.rejects(registry.find(''), /no branch/);
    assert.equal(await registry.get('../b1'), undefined);
  });

  it('recognizes branches that a kill left incomplete', async () => {
    const registry = new BranchRegistry(folder.path);
    assert.equal(
      await registry.isLeftover(branchRecord({ state: 'making' })),
      false,
      'being made by us',
    );
    assert.equal(
      await registry.isLeftover(branchRecord({ state: 'making', owner: '999999-gone' })),
      true,
    );
    assert.equal(await registry.isLeftover(branchRecord({ owner: '999999-gone' })), false);
  });
});
