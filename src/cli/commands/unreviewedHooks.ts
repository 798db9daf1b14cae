/** An option of every command that starts an agent. */
export const UNREVIEWED_HOOKS = [
  '--allow-unreviewed-hooks',
  'let Codex run hooks that nobody reviewed, those of the project too, so that it tells at once what it does',
] as const;

export interface UnreviewedHooksOption {
  readonly allowUnreviewedHooks?: boolean;
}
