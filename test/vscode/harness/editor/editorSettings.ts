import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { journeyWorld } from '../journeyHooks.ts';

/** Call before a window opens. @param value `undefined` restores VS Code's default */
export function setSetting(name: string, value: unknown): void {
  const file = path.join(journeyWorld().root, 'data/User/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...settings, [name]: value }));
}
