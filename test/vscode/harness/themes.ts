import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { journeyWorld } from './journeyHooks.ts';

/** Those that pictures are taken in. */
export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
};

/** Before a window opens: it reads its settings then. */
export function setTheme(theme: string): void {
  const file = path.join(journeyWorld().root, 'data/User/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...settings, 'workbench.colorTheme': theme }));
}
