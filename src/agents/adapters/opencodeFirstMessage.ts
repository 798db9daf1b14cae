import { NO_ADDITIONS, type FirstMessageRequest, type LaunchAdditions } from '../common/adapter.ts';
import { fileUrl } from './fileUrl.ts';

/** The message is sent after this delay, so that the screen is ready to show it. */
const DELAY_MS = 1000;

/**
 * The full-screen program ignores a message on its command line when it resumes a session, so a
 * plugin sends it. A settings file for this launch names the plugin; undefined if the user already
 * sets such a file (`OPENCODE_CONFIG`).
 */
export function opencodeFirstMessage({
  folder,
  session,
  message,
  env,
}: FirstMessageRequest): LaunchAdditions | undefined {
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

/**
 * Sends the message only once, although the agent's tools may start opencode again with the same
 * settings.
 */
function pluginText(mark: string, session: string, message: string): string {
  return `import { writeFileSync } from 'node:fs';
const prompt = ${JSON.stringify({ path: { id: session }, body: { parts: [{ type: 'text', text: message }] } })};
export const AhFirstMessage = async ({ client }) => {
  try {
    writeFileSync(${JSON.stringify(mark)}, '', { flag: 'wx' });
    setTimeout(() => client.session.promptAsync(prompt).catch(() => {}), ${DELAY_MS});
  } catch {} // The message was sent before.
  return {};
};
`;
}
