import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { pace } from '../../support/pace.ts';
import type { EditorServer } from './editor/editorServer.ts';

export interface InHostResult {
  readonly title: string;
  readonly durationMs: number;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly error?: string;
}

export interface InHostRun {
  readonly server: EditorServer;
  readonly browser: Browser;
  readonly extensionFolder: string;
  readonly testsFile: string;
  readonly workspace: string;
  readonly grep: string | undefined;
}

const TIMEOUT_MS = 600_000;

/** Runs the bundled suites in the extension host of a real window; throws if they don't finish. */
export async function runInHost(run: InHostRun): Promise<InHostResult[]> {
  const { server } = run;
  const resultsFile = path.join(server.root, 'results.json');
  const remote = (file: string) => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const environment = {
    AH_TEST_RESULTS: resultsFile,
    AH_PACE: String(pace),
    ...(run.grep !== undefined && { AH_TEST_GREP: run.grep }),
  };
  const page = await run.browser.newPage({ viewport: { width: 1280, height: 800 } });
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  const exited = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new Error(`No end after ${TIMEOUT_MS / 1000} s.\n${lines.slice(-30).join('\n')}`)),
      TIMEOUT_MS,
    );
    const exit = () => {
      clearTimeout(timer);
      resolve();
    };
    void page.exposeFunction('codeAutomationExit', exit);
    void page.exposeFunction('codeAutomationLog', () => {});
  });
  await page.goto(
    server.folderUrl(run.workspace, [
      ['extensionDevelopmentPath', remote(run.extensionFolder)],
      ['extensionTestsPath', remote(run.testsFile)],
      ['extensionEnvironment', JSON.stringify(environment)],
    ]),
  );
  await exited;
  await page.close();
  return readResults(resultsFile, lines);
}

function readResults(file: string, lines: readonly string[]): InHostResult[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as InHostResult[];
  } catch (error) {
    throw new Error(`The suites left no results.\n${lines.slice(-30).join('\n')}`, {
      cause: error,
    });
  }
}
