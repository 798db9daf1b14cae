import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { TerminalModel } from '../../src/terminal/screen/terminalModel.ts';

/** The lines above the screen that a client gets when it attaches and asks for so many. */
export async function scrollbackOf(hostSocket: string, historyLines: number): Promise<string[]> {
  const client = await RecorderClient.connect(hostSocket);
  const lines: string[] = [];
  const isShown = new Promise<void>((resolve) => {
    client.onState(({ state, cols, rows }) => {
      const size = { cols, rows };
      const model = new TerminalModel({ size, onLine: ({ text }) => lines.push(text) });
      model.write(state, 0);
      resolve();
    });
  });
  const attach = { from: 'state', answersQueries: false, lossless: true } as const;
  await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines });
  await isShown;
  client.dispose();
  return lines;
}
