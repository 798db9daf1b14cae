export function brokenLinks(root: string): string[];
