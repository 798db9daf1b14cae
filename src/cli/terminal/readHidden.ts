/** Input is read up to this length; no secret that a user types or pipes is longer. */
const MAX_BYTES = 64 * 1024;

/** Reads a line from the terminal without echo, or all of standard input without a terminal. */
export async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await readToTheEnd()).replace(/\r?\n$/, '');
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await readLine();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function readToTheEnd(): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BYTES) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readLine(): Promise<string> {
  const { stdin } = process;
  stdin.setEncoding('utf8');
  let line = '';
  return new Promise((resolve) => {
    const take = (text: string): void => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return done(line);
        if (character === '\u0003' || character === '\u0004') return done('');
        if (character === '\u007f') line = [...line].slice(0, -1).join('');
        else line += character;
      }
    };
    const done = (result: string): void => {
      stdin.off('data', take);
      resolve(result);
    };
    stdin.on('data', take);
  });
}
