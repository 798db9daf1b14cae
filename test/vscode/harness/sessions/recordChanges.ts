import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../support/ah.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { recordCommand } from '../pages/journeySteps.ts';
import { run, takeSnapshot } from '../pages/shellSteps.ts';
import type { Workbench } from '../pages/workbench.ts';

/** A repository with two committed files. */
export async function startRepository(folder: string): Promise<void> {
  await userGit(folder, 'init', '-q');
  writeFileSync(path.join(folder, 'kept.txt'), 'as it was\n');
  writeFileSync(path.join(folder, 'gone.txt'), 'to be removed\n');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
}

/** Records a shell that adds, changes and deletes files, with a snapshot before and after. */
export async function recordChanges(workbench: Workbench): Promise<Workbench> {
  await recordCommand(workbench, 'bash --norc');
  await run(workbench, 'true');
  await run(workbench, 'echo changed > kept.txt; echo hello > made.txt; rm gone.txt');
  await takeSnapshot(workbench, 'after the change');
  return workbench;
}

export function tab(page: Page, title: string): Locator {
  return page.locator('.tab', { hasText: title });
}

/** Waits until the multi-file diff lists exactly these files. */
export async function comparesFiles(page: Page, expected: readonly string[]): Promise<void> {
  // VS Code keeps hidden widgets of previous diffs.
  const title = '.multiDiffEntry .file-path .title:not(.original) .label-name';
  const names = page.locator(`${title} >> visible=true`);
  let found: string[] = [];
  const areThere = async () => {
    const texts = (await names.allTextContents()).map((name) => name.trim()).filter(Boolean);
    found = [...new Set(texts)].sort();
    return isDeepStrictEqual(found, expected);
  };
  await until(areThere, 'the changes').catch(() => assert.deepEqual(found, expected));
}

/** The multi-file diff calls a file renamed if its two sides have different names. */
export async function showsNoRenames(page: Page): Promise<void> {
  const old = page.locator('.multiDiffEntry .file-path .title.original >> visible=true');
  assert.deepEqual((await old.allTextContents()).filter(Boolean), []);
}
