import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { messageOf } from '../../../src/base/errors.ts';
import { bundleSuites } from './bundleSuites.ts';
import { report } from './report.ts';
import type { InHostResult } from './runInHost.ts';

const project = path.resolve(import.meta.dirname, '../../..');

/** Runs the in-host suites in desktop VS Code. @param version the newest if undefined */
async function main(version: string | undefined): Promise<boolean> {
  const extensionTestsPath = await bundleSuites();
  const vscodeExecutablePath = await download(version);
  const root = mkdtempSync(path.join(tmpdir(), 'ah-e-'));
  const workspace = path.join(root, 'workspace');
  const results = path.join(root, 'results.json');
  mkdirSync(workspace);
  try {
    const options = ['--disable-extensions', '--disable-workspace-trust'];
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: project,
      extensionTestsPath,
      extensionTestsEnv: { AH_TEST_RESULTS: results, AH_DATA_DIR: path.join(root, 'ah') },
      launchArgs: [workspace, ...options, `--user-data-dir=${path.join(root, 'data')}`],
    }).catch(() => 1); // Rejects when a suite fails: the results say which.
    return report(JSON.parse(readFileSync(results, 'utf8')) as InHostResult[]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function download(version: string | undefined): Promise<string> {
  const cachePath = path.join(project, '.cache/vscode-test');
  try {
    return await downloadAndUnzipVSCode({ cachePath, ...(version !== undefined && { version }) });
  } catch (error) {
    const name = `desktop VS Code${version === undefined ? '' : ` ${version}`}`;
    throw new Error(`Can't download ${name}: ${messageOf(error)}`, { cause: error });
  }
}

process.exitCode = await main(process.argv[2]).then(
  (isWell) => (isWell ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    return 1;
  },
);
