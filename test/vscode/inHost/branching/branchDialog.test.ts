import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BranchRecord } from '../../../../src/branching/common/branchRecord.ts';
import type { BranchPlan } from '../../../../src/branching/node/plan/planBranch.ts';
import {
  confirmBranch,
  type BranchTexts,
} from '../../../../src/extension/branches/branchDialog.ts';
import { BranchStarter } from '../../../../src/extension/branches/branchStarter.ts';
import { openBranch } from '../../../../src/extension/branches/openBranch.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import type { KeptFiles } from '../../../../src/snapshots/common/snapshotLine.ts';
import { until } from '../../../support/ah.ts';
import { KEPT_FILES } from '../../../support/git/writeSnapshotLines.ts';
import { useStubs } from '../../harness/useStubs.ts';

type Row = vscode.QuickPickItem;

function planOf({ kind }: Pick<BranchTexts, 'kind'>, files: KeptFiles = KEPT_FILES): BranchPlan {
  const plan = {
    snapshot: { id: 3n, tsNs: 0n, label: 'Edit', files },
    passedOver: [],
    warnings: [],
    carried: [],
    why: 'asked',
    kind: kind ?? 'worktree',
    name: 'fix',
    destination: '/fix',
    message: 'go on',
    agent: 'claudeCode',
    memory: {
      method: 'resume',
      warnings: ['The permission mode is not recorded.'],
      mode: { permissions: 'manual', model: 'opus' },
    },
  };
  return plan as unknown as BranchPlan;
}

describe('the plan of a branch', () => {
  const { replace, restores } = useStubs();

  /** Answers the dialogs in order. @returns the rows of each */
  function answering(...answers: string[]): Row[][] {
    const shown: Row[][] = [];
    replace(vscode.window, 'showQuickPick', (rows: Row[]) => {
      shown.push(rows);
      const answer = answers.shift();
      return Promise.resolve(rows.find(({ label }) => answer && label.includes(answer)));
    });
    return shown;
  }

  const textOf = (rows: Row[]): string =>
    rows.map(({ label, description = '' }) => `${label} ${description}`).join('\n');

  it('names the permissions and the model of the moment, and what is unknown', async () => {
    const shown = answering();
    assert.equal(await confirmBranch(planOf({ kind: undefined }), () => assert.fail()), undefined);
    const text = textOf(shown[0]!);
    assert.match(text, /Permissions asks before it acts \(manual\)/);
    assert.match(text, /Model opus/);
    assert.match(text, /\$\(warning\) The permission mode is not recorded\./);
  });

  it('names the permissions of the moment and those that the branch starts with', async () => {
    const shown = answering();
    const plan = planOf({ kind: undefined });
    const mode = { permissionsBefore: 'assisted', permissions: 'manual' };
    await confirmBranch({ ...plan, memory: { ...plan.memory, mode } }, () => assert.fail());
    const expected =
      /Permissions was “assisted”; the branch starts with “asks before it acts \(manual\)”/;
    assert.match(textOf(shown[0]!), expected);
  });

  it('says in plain words what the agent may do and what it remembers', async () => {
    const shown = answering();
    const plan = planOf({ kind: undefined });
    const mode = { permissions: 'asks you, danger-full-access' };
    await confirmBranch({ ...plan, memory: { ...plan.memory, mode } }, () => assert.fail());
    const text = textOf(shown[0]!);
    const permissions = 'asks you, can change all files and use the network (danger-full-access)';
    assert.ok(text.includes(permissions), text);
    assert.match(text, /Agent memory the agent continues the conversation from this moment/);
  });

  it('says what becomes of the window that gets the folder of the branch', async () => {
    const shown = answering();
    await confirmBranch(planOf({ kind: undefined }), () => assert.fail());
    const { detail } = shown[0]!.find(({ label }) => label.includes('Branch in This Window'))!;
    // The window of this test has one folder.
    assert.match(detail!, /files of “fix” .* turns this window into an untitled workspace/);
  });

  it('says that the snapshot was late', async () => {
    const shown = answering();
    const late = planOf({ kind: undefined }, { ...KEPT_FILES, isLate: true });
    await confirmBranch(late, () => assert.fail());
    await confirmBranch(planOf({ kind: undefined }), () => assert.fail());
    const details = shown.map((rows) => rows.find(({ label }) => label.includes('Files'))?.detail);
    assert.deepEqual(details, [
      'the snapshot of this moment · $(warning) late: may contain later changes',
      'the snapshot of this moment',
    ]);
  });

  it('offers to branch in the original folder, and the way back', async () => {
    const asked: BranchTexts['kind'][] = [];
    const planFor = ({ kind }: BranchTexts): Promise<BranchPlan> => {
      asked.push(kind);
      return Promise.resolve(planOf({ kind }));
    };
    const inPlace = 'Branch in the Original Folder';
    const own = 'Branch into a Folder of Its Own';
    const shown = answering(inPlace, own, inPlace, 'Restore Files and Start the Agent');
    const answer = await confirmBranch(planOf({ kind: undefined }), planFor);
    assert.deepEqual(asked, ['in-place', undefined, 'in-place']);
    assert.deepEqual([answer?.window, answer?.plan.kind], ['original', 'in-place']);
    assert.match(textOf(shown[1]!), /takes a snapshot of the current files first/);
    assert.doesNotMatch(textOf(shown[1]!), /New Window/);
  });

  it('keeps the plan when the original folder is busy', async () => {
    const errors: string[] = [];
    replace(vscode.window, 'showErrorMessage', (text: string) => {
      errors.push(text);
      return Promise.resolve(undefined);
    });
    answering('Branch in the Original Folder', 'Branch in a New Window');
    const planFor = (): Promise<BranchPlan> => Promise.reject(new Error('It runs there.'));
    const answer = await confirmBranch(planOf({ kind: undefined }), planFor);
    assert.deepEqual([errors, answer?.window], [['It runs there.'], 'new']);
  });

  it('starts in the window that has the original folder, and says where it comes from', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    const record = {
      id: 'branch',
      name: 'fix',
      kind: 'in-place',
      state: 'ready',
      workspace: folder,
      from: { sessionId: 'original', workspace: folder, timeNs: 0n },
      launch: { cmd: ['claude'], warnings: [], isWaiting: true },
    } as unknown as BranchRecord;
    const original = {
      meta: { cmd: ['claude'] },
      notes: { name: 'the original' },
    } as unknown as Session;
    const messages: string[] = [];
    replace(vscode.window, 'showInformationMessage', (text: string) => {
      messages.push(text);
      return Promise.resolve(undefined);
    });
    const started: string[] = [];
    const log = vscode.window.createOutputChannel('branches', { log: true });
    restores.push(() => log.dispose());
    const starter = new BranchStarter(
      { list: () => Promise.resolve([record]), claimLaunch: () => Promise.resolve(record) },
      {
        record: ({ name }) => {
          started.push(name ?? '');
          return undefined;
        },
      },
      { get: () => original, refresh: () => Promise.resolve() },
      log,
    );
    restores.push(() => starter.dispose());
    await openBranch(record, 'original', starter);
    await until(() => messages.length > 0, 'the origin of the branch');
    assert.deepEqual(started, ['fix']);
    assert.match(messages[0]!, /^Branch of “the original” at \d\d:\d\d/);
  });

  it('hides .ah in the explorer, in addition to the folders that VS Code hides', () => {
    const { defaultValue } = vscode.workspace
      .getConfiguration('files')
      .inspect<Record<string, boolean>>('exclude')!;
    assert.equal(defaultValue?.['.ah'], true);
    assert.equal(defaultValue['**/.git'], true);
  });
});
