export function featuresOf(file: string): string[];
