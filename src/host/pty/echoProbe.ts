import { spawn } from 'node:child_process';

/** A look takes some milliseconds; one that takes longer tells nothing. */
const PATIENCE_MS = 1000;

/** Says whether a terminal shows what is typed. `unknown` where that cannot be found out. */
export type EchoProbe = () => Promise<'on' | 'off' | 'unknown'>;

/**
 * Asks the terminal itself: `stty` prints the settings of whatever its standard input is, and that is the program's end of
 * the pseudoterminal, which the recorder holds open. Node has no call for it.
 *
 * @param slave descriptor of the program's end
 */
export function sttyProbe(slave: number): EchoProbe {
  return () =>
    new Promise((resolve) => {
      const child = spawn('stty', ['-a'], {
        stdio: [slave, 'pipe', 'ignore'],
        env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
        timeout: PATIENCE_MS,
      });
      let text = '';
      child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      child.on('error', () => resolve('unknown'));
      child.on('close', () => resolve(echoIn(text)));
    });
}

/** What `stty -a` says: each setting is a word, with a minus when it is off. */
export function echoIn(text: string): 'on' | 'off' | 'unknown' {
  const word = /(?:^|[\s;])(-?)echo(?=[\s;]|$)/m.exec(text);
  if (!word) return 'unknown';
  return word[1] === '' ? 'on' : 'off';
}
