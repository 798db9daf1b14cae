/** The option that all commands that start an agent share. */
export const UNREVIEWED_HOOKS = [
  '--allow-unreviewed-hooks',
  'Let Codex run unreviewed hooks, including those of the project, so that it reports its activity',
] as const;

export interface UnreviewedHooksOption {
  readonly allowUnreviewedHooks?: boolean;
}
