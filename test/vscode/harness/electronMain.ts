import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installTool } from '../../../scripts/installTool.mjs';
import { messageOf } from '../../../src/base/errors.ts';
import { bundleSuites } from './bundleSuites.ts';
import { report } from './report.ts';
import type { InHostResult } from './runInHost.ts';

interface TestElectron {
  readonly runTests: (options: {
    readonly version?: string;
    readonly extensionDevelopmentPath: string;
    readonly extensionTestsPath: string;
    readonly extensionTestsEnv: Record<string, string>;
    readonly launchArgs: readonly string[];
  }) => Promise<number>;
}

/** Runs the in-host suites in the desktop VS Code, which is downloaded: the newest one, or the version named. */
async function main(version: string | undefined): Promise<boolean> {
  const tool = installTool(path.resolve(import.meta.dirname, '../electron'), 'electron');
  const require = createRequire(path.join(tool, 'package.json'));
  const { runTests } = require('@vscode/test-electron') as TestElectron;
  const extensionTestsPath = await bundleSuites();
  const root = mkdtempSync(path.join(tmpdir(), 'ah-e-'));
  const workspace = path.join(root, 'workspace');
  const results = path.join(root, 'results.json');
  mkdirSync(workspace);
  try {
    const options = ['--disable-extensions', '--disable-workspace-trust'];
    await runTests({
      ...(version !== undefined && { version }),
      extensionDevelopmentPath: path.resolve(import.meta.dirname, '../../..'),
      extensionTestsPath,
      extensionTestsEnv: { AH_TEST_RESULTS: results, AH_DATA_DIR: path.join(root, 'ah') },
      launchArgs: [workspace, ...options, `--user-data-dir=${path.join(root, 'data')}`],
    }).catch(() => 1); // A failed suite: the results say which.
    return report(JSON.parse(readFileSync(results, 'utf8')) as InHostResult[]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv[2]).then(
  (isWell) => (isWell ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    return 1;
  },
);
