export function importCycles(sources: ReadonlyMap<string, string>): string[][];
