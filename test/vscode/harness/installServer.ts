import path from 'node:path';
import { installTool } from '../../../scripts/installTool.mjs';

/**
 * Installs the editor's server, 600 MB that only these tests need.
 *
 * @returns the folder that holds `node_modules/code-server`
 */
export function ensureServer(): string {
  return installTool(path.resolve(import.meta.dirname, '../server'), 'server');
}
