import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Workbench } from './workbench.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../.vscode-test/looks');

/** Saves a screenshot for a human to judge. */
export async function look(workbench: Workbench, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await workbench.page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}
