import path from 'node:path';
import { integratedShell } from '../../agents/common/shellIntegration.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';

type Launch = Pick<LaunchSpec, 'cmd' | 'env'>;

/**
 * Makes an interactive shell announce its commands; returns other programs unchanged.
 * @param scripts the folder of the files that shells read
 */
export function integrateShell({ cmd, env }: Launch, scripts: string): Launch {
  const [program = '', ...args] = cmd;
  switch (integratedShell(cmd)) {
    case 'bash': {
      // A login shell ignores --init-file: the file loads the user's profile instead.
      const others = args.map(withoutLogin);
      const isLogin = args.some((each, index) => each !== others[index]);
      const options = others.filter((each) => each !== '');
      return {
        cmd: [program, '--init-file', path.join(scripts, 'integration.bash'), ...options],
        env: isLogin ? { ...env, AH_LOGIN_SHELL: '1' } : env,
      };
    }
    case 'zsh': {
      const { ZDOTDIR: own } = env;
      const user = own === undefined ? {} : { AH_USER_ZDOTDIR: own };
      return { cmd, env: { ...env, ...user, ZDOTDIR: path.join(scripts, 'zsh') } };
    }
    case 'fish': {
      const file = path.join(scripts, 'integration.fish').replace(/['\\]/g, '\\$&');
      return { cmd: [program, '--init-command', `source '${file}'`, ...args], env };
    }
    case undefined:
      return { cmd, env };
  }
}

/** Removes `--login` and the letter `l` of short options; empty if nothing remains. */
function withoutLogin(option: string): string {
  if (option === '--login') return '';
  if (!/^-[A-Za-z]*l/.test(option)) return option;
  const rest = option.replaceAll('l', '');
  return rest === '-' ? '' : rest;
}
