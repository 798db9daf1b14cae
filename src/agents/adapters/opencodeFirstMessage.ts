import { NO_ADDITIONS, type FirstMessage, type LaunchAdditions } from '../common/adapter.ts';
import { fileUrl } from './fileUrl.ts';

/** Until the screen is there that shows what happens. */
const DELAY_MS = 1000;

/**
 * With a session to go on with, the full-screen program reads no message from its command line. A plugin tells it: one more
 * file of settings for this launch, where the user has none of that kind.
 */
export function opencodeFirstMessage({
  folder,
  session,
  message,
  env,
}: FirstMessage): LaunchAdditions | undefined {
  if (env['OPENCODE_CONFIG']) return undefined;
  const plugin = `${folder}/first-message.js`;
  const settings = `${folder}/opencode.json`;
  return {
    ...NO_ADDITIONS,
    env: { OPENCODE_CONFIG: settings },
    files: [
      { path: plugin, text: pluginText(`${folder}/first-message.told`, session, message) },
      { path: settings, text: `${JSON.stringify({ plugin: [fileUrl(plugin)] })}\n` },
    ],
  };
}

/** Told once, however often the program is started with the same settings: a tool may start it too. */
function pluginText(mark: string, session: string, message: string): string {
  return `import { writeFileSync } from 'node:fs';
const told = ${JSON.stringify({ path: { id: session }, body: { parts: [{ type: 'text', text: message }] } })};
export const AhFirstMessage = async ({ client }) => {
  try {
    writeFileSync(${JSON.stringify(mark)}, '', { flag: 'wx' });
    setTimeout(() => client.session.promptAsync(told).catch(() => {}), ${DELAY_MS});
  } catch {}
  return {};
};
`;
}
