/** @returns the folder that holds the tool's `node_modules` */
export function installTool(manifestFolder: string, name: string): string;
