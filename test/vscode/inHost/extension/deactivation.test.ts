import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { activate } from '../../../../src/extension/extension.ts';
import { until } from '../../../support/ah.ts';
import { fakeContext } from '../../harness/fakeContext.ts';
import { ResourceLedger } from '../../harness/resourceLedger.ts';

describe('deactivation', () => {
  it('disposes everything that activation registered', async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'ah-d-'));
    const before = watchers();
    const ledger = new ResourceLedger();
    const subscriptions: vscode.Disposable[] = [];
    const dataFolder = process.env['AH_DATA_DIR'];
    process.env['AH_DATA_DIR'] = path.join(storage, 'ah');
    try {
      activate(fakeContext(storage, subscriptions));
      assert.ok(ledger.open.size > 15, `${ledger.open.size} resources were taken`);
      if (process.platform === 'linux') assert.ok(watchers() > before, 'files are watched');
      for (const subscription of subscriptions.reverse()) subscription.dispose();
    } finally {
      ledger.restore();
      process.env['AH_DATA_DIR'] = dataFolder;
      rmSync(storage, { recursive: true });
    }
    assert.deepEqual([...ledger.open.values()], []);
    await until(() => watchers() === before, 'no file to be watched any more');
  });
});

/** The kernel's count of folders that this process watches (Linux only). */
function watchers(): number {
  if (process.platform !== 'linux') return 0;
  const folder = '/proc/self/fdinfo';
  const texts = readdirSync(folder).map((name) => {
    try {
      return readFileSync(path.join(folder, name), 'utf8');
    } catch {
      return ''; // This descriptor is the one with which the folder was listed.
    }
  });
  return texts.join('\n').match(/^inotify wd/gm)?.length ?? 0;
}
