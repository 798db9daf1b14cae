import type { Workbench } from './workbench.ts';

/** Runs a command in the visible terminal and waits until it is done. */
export async function run(workbench: Workbench, line: string): Promise<void> {
  const mark = `done-${Math.random().toString(36).slice(2, 8)}`;
  // Typed in two parts, so that the echo differs from the result.
  await workbench.type(`${line}; echo ${mark.slice(0, 4)}''${mark.slice(4)}\n`);
  await workbench.terminalShows(mark);
}

export async function takeSnapshot(workbench: Workbench, label: string): Promise<void> {
  await workbench.command('AH: Take Snapshot…');
  await workbench.answer(label);
  await workbench.page.locator('.statusbar-item', { hasText: 'Snapshot taken' }).waitFor();
}
