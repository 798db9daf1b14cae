export function errorsWithoutRemedy(root: string): string[];
