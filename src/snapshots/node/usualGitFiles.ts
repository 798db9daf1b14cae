import os from 'node:os';
import path from 'node:path';

/** Where builds of git look for the settings of a machine: Linux and Apple's, Homebrew's on Intel, Homebrew's on ARM. */
const SYSTEM_SETTINGS = [
  '/etc/gitconfig',
  '/usr/local/etc/gitconfig',
  '/opt/homebrew/etc/gitconfig',
];

/** What git reads for all repositories of this user: rules where no setting says where, and settings. */
export function usualGitFiles(): { usualExcludes: string; usualSettings: readonly string[] } {
  const { XDG_CONFIG_HOME, HOME = os.homedir() } = process.env;
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env;
  const folder = path.join(XDG_CONFIG_HOME || path.join(HOME, '.config'), 'git');
  const own = [path.join(folder, 'config'), path.join(HOME, '.gitconfig')];
  return {
    usualExcludes: path.join(folder, 'ignore'),
    usualSettings: [
      ...(GIT_CONFIG_SYSTEM === undefined ? SYSTEM_SETTINGS : [GIT_CONFIG_SYSTEM]),
      ...(GIT_CONFIG_GLOBAL === undefined ? own : [GIT_CONFIG_GLOBAL]),
    ],
  };
}
