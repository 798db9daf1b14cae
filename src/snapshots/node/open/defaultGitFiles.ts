import os from 'node:os';
import path from 'node:path';

/** Machine-wide git settings: Linux and Apple, Homebrew (Intel), Homebrew (ARM). */
const SYSTEM_SETTINGS = [
  '/etc/gitconfig',
  '/usr/local/etc/gitconfig',
  '/opt/homebrew/etc/gitconfig',
];

/** The excludes file and the settings that git reads for all repositories of this user. */
export function defaultGitFiles(): { defaultExcludes: string; defaultSettings: readonly string[] } {
  const { XDG_CONFIG_HOME, HOME = os.homedir() } = process.env;
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env;
  const folder = path.join(XDG_CONFIG_HOME || path.join(HOME, '.config'), 'git');
  const own = [path.join(folder, 'config'), path.join(HOME, '.gitconfig')];
  return {
    defaultExcludes: path.join(folder, 'ignore'),
    defaultSettings: [
      ...(GIT_CONFIG_SYSTEM === undefined ? SYSTEM_SETTINGS : [GIT_CONFIG_SYSTEM]),
      ...(GIT_CONFIG_GLOBAL === undefined ? own : [GIT_CONFIG_GLOBAL]),
    ],
  };
}
