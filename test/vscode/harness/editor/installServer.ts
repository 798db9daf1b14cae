import path from 'node:path';
import { installTool } from '../../../../scripts/installTool.mjs';

/**
 * Installs VS Code's server (600 MB).
 * @returns the folder that contains `node_modules/code-server`
 */
export function ensureServer(): string {
  return installTool(path.resolve(import.meta.dirname, '../../server'), 'server');
}
