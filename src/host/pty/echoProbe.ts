import { spawn } from 'node:child_process';

/** Time limit for `stty`, which usually takes a few milliseconds. */
const PATIENCE_MS = 1000;

/** Whether a terminal shows typed characters; `unknown` when `stty` fails. */
export type EchoProbe = () => Promise<'on' | 'off' | 'unknown'>;

/**
 * Reads the terminal's settings with `stty`, because Node has no function for it. The standard
 * input of `stty` is the program's end of the pseudoterminal, which the recorder holds open.
 * @param slave file descriptor of the program's end
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
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      child.on('error', () => resolve('unknown'));
      child.on('close', () => resolve(parseEcho(text)));
    });
}

/** Parses the output of `stty -a`: each setting is a word, with a minus when it is off. */
export function parseEcho(text: string): 'on' | 'off' | 'unknown' {
  const word = /(?:^|[\s;])(-?)echo(?=[\s;]|$)/m.exec(text);
  if (!word) return 'unknown';
  return word[1] === '' ? 'on' : 'off';
}
