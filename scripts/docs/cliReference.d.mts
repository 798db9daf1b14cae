import type { Command } from 'commander';

export function cliReference(program: Command): string;
