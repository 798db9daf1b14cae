import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Looks in the notification center, because toasts disappear. */
export async function isTold(workbench: Workbench, text: string): Promise<void> {
  await openList(workbench);
  await entries(workbench).filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
}

export async function toldTexts(workbench: Workbench): Promise<string[]> {
  await openList(workbench);
  return entries(workbench).allInnerTexts();
}

async function openList(workbench: Workbench): Promise<void> {
  if (await workbench.page.locator('.notifications-center.visible').isVisible()) return;
  await workbench.command('Notifications: Show Notifications');
}

function entries({ page }: Workbench): Locator {
  return page.locator('.notifications-center .notification-list-item');
}
