/** The recorder takes a file away when it has dealt with it. */
const POLL_MS = 10;

/**
 * The plugin by which opencode tells of itself: JavaScript that the agent loads. It passes on the events that matter, each
 * as one file in the inbox, complete from the moment it has its name. A failure of ours must not be one of the agent's.
 */
export function opencodePlugin(inbox: string, waitMs: number): string {
  return `import { existsSync, renameSync, writeFileSync } from 'node:fs';
const inbox = ${JSON.stringify(inbox)};
const polls = ${Math.ceil(waitMs / POLL_MS)};
const roles = new Map();
const requests = new Map();
const wanted = new Set(${JSON.stringify(WANTED)});
let count = 0;
const send = (payload) => {
  try {
    const name = Date.now() + '-' + process.pid + '-' + String(count++).padStart(6, '0');
    writeFileSync(inbox + '/.' + name, JSON.stringify(payload));
    const file = inbox + '/' + name + '-event.json';
    renameSync(inbox + '/.' + name, file);
    return file;
  } catch {}
};
export const AhPlugin = async () => ({
  // Told of its end again later, when the model may have gone on: this is what the agent waits for.
  'tool.execute.after': async ({ tool, callID, args }, { title, output, metadata }) => {
    const time = { end: Date.now() };
    const state = { status: 'completed', input: args, output, title, metadata, time };
    const part = { type: 'tool', tool, callID, state };
    const file = send({ type: 'message.part.updated', properties: { part } });
    for (let left = polls; file && left > 0 && existsSync(file); left--) {
      await new Promise((resolve) => setTimeout(resolve, ${POLL_MS}));
    }
  },
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
