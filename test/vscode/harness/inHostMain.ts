import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../../src/base/errors.ts';
import { AhSandbox } from '../../support/ah.ts';
import { ensureSystemPackages } from './aptPackages.ts';
import { startBrowser } from './browser.ts';
import { bundleSuites } from './bundleSuites.ts';
import { EditorServer } from './editorServer.ts';
import { ensureServer } from './installServer.ts';
import { report } from './report.ts';
import { runInHost } from './runInHost.ts';
import { ensureStrictServer } from './strictServer.ts';

/**
 * Runs suites of `test/vscode/inHost` in one window of an editor that refuses proposed API, and says how it went.
 *
 * @param grep only the tests whose title matches; there may be none
 * @param files only these; all when there are none
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
    ...{ serverFolder, root, isDriven: true, extension: 'none' },
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

// The other options of Mocha are for the journeys, which are started with the same.
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
