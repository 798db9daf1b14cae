/**
 * The plugin by which opencode tells of itself: JavaScript that the agent loads. It passes on the events that matter, each
 * as a line on a socket, and is answered with a call's number when that is dealt with. A failure of ours must not be one of
 * the agent's.
 */
export function opencodePlugin(socket: string, waitMs: number): string {
  return `import { connect } from 'node:net';
const roles = new Map();
const requests = new Map();
const wanted = new Set(${JSON.stringify(WANTED)});
const waiting = new Map();
let count = 0;
let line;
const hangUp = () => {
  line = undefined;
  for (const goOn of waiting.values()) goOn();
  waiting.clear();
};
const open = () => new Promise((resolve) => {
  const socket = connect(${JSON.stringify(socket)}, () => {
    line = socket;
    resolve();
  });
  let rest = '';
  socket.on('data', (bytes) => {
    const answers = (rest + bytes).split('\\n');
    rest = answers.pop();
    for (const answer of answers) waiting.get(Number(answer))?.();
  });
  socket.on('error', () => resolve());
  socket.on('close', hangUp);
  socket.unref?.();
});
const send = (payload) => {
  const id = count++;
  try {
    line?.write(JSON.stringify({ id, payload }) + '\\n');
  } catch {}
  return id;
};
const dealtWith = (id) => new Promise((resolve) => {
  const goOn = () => {
    clearTimeout(timer);
    waiting.delete(id);
    resolve();
  };
  const timer = setTimeout(goOn, ${waitMs});
  if (line) waiting.set(id, goOn);
  else goOn();
});
export const AhPlugin = async () => {
  await open();
  return {
    // Told of its end again later, when the model may have gone on: this is what the agent waits for.
    'tool.execute.after': async ({ tool, callID, args }, { title, output, metadata }) => {
      const time = { end: Date.now() };
      const state = { status: 'completed', input: args, output, title, metadata, time };
      const part = { type: 'tool', tool, callID, state };
      await dealtWith(send({ type: 'message.part.updated', properties: { part } }));
    },
    event: async ({ event: { type, properties } }) => {
      if (type === 'message.updated') roles.set(properties.info.id, properties.info.role);
      if (!wanted.has(type)) return;
      if (type === 'permission.asked') requests.set(properties.id, properties.tool?.callID);
      const part = properties.part;
      const role = part && roles.get(part.messageID);
      // A part is told again with every word: the words alone can wait for the last time.
      if (part?.type === 'text' && role !== 'user' && !part.time?.end) return;
      // An answer names the question, not the call.
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
