import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../../src/base/errors.ts';
import { AhSandbox } from '../../support/ah.ts';
import { ensureSystemPackages } from './editor/aptPackages.ts';
import { startBrowser } from './editor/browser.ts';
import { bundleSuites } from './bundleSuites.ts';
import { EditorServer } from './editor/editorServer.ts';
import { ensureServer } from './editor/installServer.ts';
import { report } from './report.ts';
import { runInHost } from './runInHost.ts';
import { ensureStrictServer } from './editor/strictServer.ts';

/**
 * Runs suites of `test/vscode/inHost` in one window that refuses proposed API, and prints results.
 * @param grep only tests whose title matches; may match none
 * @param files only these suites; all if empty
 */
async function main(grep: string | undefined, files: readonly string[]): Promise<boolean> {
  ensureSystemPackages();
  const serverFolder = ensureStrictServer(ensureServer());
  const testsFile = await bundleSuites(files);
  const root = mkdtempSync(path.join(tmpdir(), 'ah-v-'));
  const workspace = path.join(root, 'workspace');
  const data = path.join(root, 'ah');
  mkdirSync(workspace);
  const server = await EditorServer.start({
    serverFolder,
    root,
    isDriven: true,
    extension: 'none',
    env: { AH_DATA_DIR: data },
  });
  const browser = await startBrowser();
  try {
    const extensionFolder = path.resolve(import.meta.dirname, '../../..');
    const run = { server, browser, extensionFolder, testsFile, workspace, grep };
    return report(await runInHost(run), grep !== undefined);
  } finally {
    await browser.close();
    await server.stop();
    await new AhSandbox(data).dispose();
    rmSync(root, { recursive: true, force: true });
  }
}

// Other Mocha options belong to the journeys.
const options = {
  grep: { type: 'string', short: 'g' },
  file: { type: 'string', multiple: true },
} as const;
const { grep, file = [] } = parseArgs({ options, strict: false }).values;
const isText = (value: unknown) => typeof value === 'string';

process.exitCode = await main(isText(grep) ? grep : undefined, [file].flat().filter(isText)).then(
  (isWell) => (isWell ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    return 1;
  },
);
