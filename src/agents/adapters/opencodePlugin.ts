/**
 * The plugin by which opencode tells of itself: JavaScript that the agent loads. It passes on the events that matter, each
 * as one file in the inbox, complete from the moment it has its name. A failure of ours must not be one of the agent's.
 */
export function opencodePlugin(inbox: string): string {
  return `import { renameSync, writeFileSync } from 'node:fs';
const inbox = ${JSON.stringify(inbox)};
const roles = new Map();
const requests = new Map();
const wanted = new Set(${JSON.stringify(WANTED)});
let count = 0;
const send = (payload) => {
  try {
    const name = Date.now() + '-' + process.pid + '-' + String(count++).padStart(6, '0');
    writeFileSync(inbox + '/.' + name, JSON.stringify(payload));
    renameSync(inbox + '/.' + name, inbox + '/' + name + '-event.json');
  } catch {}
};
export const AhPlugin = async () => ({
  event: async ({ event: { type, properties } }) => {
    if (type === 'message.updated') roles.set(properties.info.id, properties.info.role);
    if (!wanted.has(type)) return;
    if (type === 'permission.asked') requests.set(properties.id, properties.tool?.callID);
    const part = properties.part;
    // A part is told again with every word: the words alone can wait for the last time.
    if (part?.type === 'text' && roles.get(part.messageID) !== 'user' && !part.time?.end) return;
    // An answer names the question, not the call.
    const callID = requests.get(properties.requestID);
    send({ type, properties: { ...properties, callID }, role: part && roles.get(part.messageID) });
  },
});
`;
}

const WANTED = [
  'session.created',
  'session.idle',
  'session.error',
  'session.compacted',
  'message.part.updated',
  'permission.asked',
  'permission.replied',
];
