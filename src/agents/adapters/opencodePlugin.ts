/**
 * JavaScript of a plugin that opencode loads. It sends each relevant event as a line to a socket,
 * and the recorder answers with the line's number when it has handled it. The plugin swallows its
 * own errors so that they can't break the agent.
 */
export function opencodePlugin(socket: string, waitMs: number): string {
  return `import { connect } from 'node:net';
const roles = new Map();
const requests = new Map();
const wanted = new Set(${JSON.stringify(WANTED)});
const waiting = new Map();
let count = 0;
let connection;
const disconnect = () => {
  connection = undefined;
  for (const resume of waiting.values()) resume();
  waiting.clear();
};
const open = () => new Promise((resolve) => {
  const socket = connect(${JSON.stringify(socket)}, () => {
    connection = socket;
    resolve();
  });
  let rest = '';
  socket.on('data', (bytes) => {
    const answers = (rest + bytes).split('\\n');
    rest = answers.pop();
    for (const answer of answers) waiting.get(Number(answer))?.();
  });
  socket.on('error', () => resolve());
  socket.on('close', disconnect);
  socket.unref?.();
});
const send = (payload) => {
  const id = count++;
  try {
    connection?.write(JSON.stringify({ id, payload }) + '\\n');
  } catch {} // The recorder is gone.
  return id;
};
const handled = (id) => new Promise((resolve) => {
  const resume = () => {
    clearTimeout(timer);
    waiting.delete(id);
    resolve();
  };
  const timer = setTimeout(resume, ${waitMs});
  if (connection) waiting.set(id, resume);
  else resume();
});
export const AhPlugin = async () => {
  await open();
  return {
    // The agent waits for this hook; the bus reports the result only later.
    'tool.execute.after': async ({ tool, callID, args }, { title, output, metadata }) => {
      const time = { end: Date.now() };
      const state = { status: 'completed', input: args, output, title, metadata, time };
      const part = { type: 'tool', tool, callID, state };
      await handled(send({ type: 'message.part.updated', properties: { part } }));
    },
    event: async ({ event: { type, properties } }) => {
      if (type === 'message.updated') roles.set(properties.info.id, properties.info.role);
      if (!wanted.has(type)) return;
      if (type === 'permission.asked') requests.set(properties.id, properties.tool?.callID);
      const part = properties.part;
      const role = part && roles.get(part.messageID);
      // A text part is repeated with every word: send only the complete text.
      if (part?.type === 'text' && role !== 'user' && !part.time?.end) return;
      // A reply has the ID of the question, not of the call.
      const callID = requests.get(properties.requestID);
      send({ type, properties: { ...properties, callID }, role });
    },
  };
};
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
