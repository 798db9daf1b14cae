import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { fakeContext } from '../../harness/fakeContext.ts';
import { ResourceLedger } from '../../harness/resourceLedger.ts';

const BUDGET_MS = 50;
/** The fastest attempt counts, since other processes only add time. */
const TRIES = 5;
/** Rounds of attempts, with a pause in between. */
const ROUNDS = 3;
const PAUSE_MS = 3000;

describe('activation', () => {
  it(`takes at most ${BUDGET_MS} ms of the extension host, including loading`, async () => {
    const { extensionPath } = vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!;
    const file = path.join(extensionPath, 'dist/extension.cjs');
    const require = createRequire(file);
    const storage = mkdtempSync(path.join(tmpdir(), 'ah-d-'));
    const dataFolder = process.env['AH_DATA_DIR'];
    process.env['AH_DATA_DIR'] = path.join(storage, 'ah');
    const loaded = require.cache[file];
    const times: number[] = [];
    try {
      for (let round = 0; round < ROUNDS && !(Math.min(...times) <= BUDGET_MS); round++) {
        if (round > 0) await sleep(PAUSE_MS);
        for (let i = 0; i < TRIES; i++) {
          delete require.cache[file];
          times.push(timeOfActivation(() => require(file) as Extension, storage));
        }
      }
    } finally {
      require.cache[file] = loaded;
      process.env['AH_DATA_DIR'] = dataFolder;
      rmSync(storage, { recursive: true });
    }
    const text = times.map((ms) => `${ms.toFixed(1)} ms`).join(', ');
    assert.ok(Math.min(...times) <= BUDGET_MS, text);
  });
});

interface Extension {
  activate(context: vscode.ExtensionContext): void;
}

function timeOfActivation(load: () => Extension, storage: string): number {
  const ledger = new ResourceLedger();
  const subscriptions: vscode.Disposable[] = [];
  const context = fakeContext(storage, subscriptions);
  try {
    const start = performance.now();
    load().activate(context);
    return performance.now() - start;
  } finally {
    ledger.restore();
    for (const subscription of subscriptions.reverse()) subscription.dispose();
  }
}
