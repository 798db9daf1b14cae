import assert from 'node:assert/strict';
import type { BranchPlan } from '../../../../../src/branching/node/plan/planBranch.ts';
import { branchJson, printPlan } from '../../../../../src/cli/commands/branch/branchText.ts';
import { KEPT_FILES } from '../../../../support/git/writeSnapshotLines.ts';

describe('the printed plan of a branch', () => {
  const warning = 'Gemini CLI does not record changes.';
  const memory = {
    method: 'resume',
    warnings: [warning],
    mode: { permissions: 'manual', model: 'opus' },
    begin: () => assert.fail('a plan begins nothing'),
  } as const;
  const plan = {
    snapshot: { id: 3n, tsNs: 0n, label: 'Edit', files: KEPT_FILES },
    moment: { byte: 1, timeNs: 2n },
    passedOver: [],
    warnings: [],
    carried: [],
    carryMode: 'copy',
    why: 'asked',
    kind: 'worktree',
    name: 'fix',
    destination: '/fix',
    message: undefined,
    agent: 'claudeCode',
    memory,
  } as unknown as BranchPlan;

  function printed(shown: BranchPlan): string {
    const write = process.stderr.write.bind(process.stderr);
    const parts: string[] = [];
    process.stderr.write = (text) => parts.push(String(text)) > 0;
    try {
      printPlan(shown);
    } finally {
      process.stderr.write = write;
    }
    return parts.join('');
  }

  it('names the permissions and the model of the moment, and warns', () => {
    const text = printed(plan);
    assert.match(text, /^agent +permissions: manual; model: opus$/m);
    assert.ok(text.includes(`ah: ${warning}\n`));
    const json = JSON.parse(branchJson(plan)) as Record<string, unknown>;
    assert.deepEqual(
      [json['permissions'], json['model'], json['warnings']],
      ['manual', 'opus', [warning]],
    );
  });

  it('names the permissions of the moment where the branch starts with others', () => {
    const mode = { permissions: 'manual', permissionsBefore: 'assisted', model: 'opus' };
    const changed = { ...plan, memory: { ...memory, mode } };
    assert.match(printed(changed), /^agent +permissions: manual \(was: assisted\); model: opus$/m);
    const json = JSON.parse(branchJson(changed)) as Record<string, unknown>;
    assert.deepEqual([json['permissions'], json['permissionsBefore']], ['manual', 'assisted']);
  });

  it('says that the snapshot was late', () => {
    const files = { ...KEPT_FILES, isLate: true };
    const late = { ...plan, snapshot: { ...plan.snapshot, files } };
    assert.match(printed(late), /^files .*Edit; late: may contain later changes$/m);
    assert.doesNotMatch(printed(plan), /late/);
  });

  it('says if permissions or model are unknown, and omits the row for other programs', () => {
    const unknown = { ...plan, memory: { ...memory, mode: {} } };
    assert.match(
      printed(unknown),
      /permissions: from the agent’s settings; model: from the agent’s settings/,
    );
    assert.doesNotMatch(printed({ ...plan, agent: undefined }), /permissions/);
  });
});
