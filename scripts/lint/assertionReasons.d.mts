import type { Rule } from 'eslint';

export const assertionReasons: Rule.RuleModule;
