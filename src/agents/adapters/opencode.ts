import { stringifyExactJson } from '../../base/exactJson.ts';
import { NO_ADDITIONS, type AgentAdapter, type TranscriptParser } from '../common/adapter.ts';
import type { AgentEvent } from '../common/events.ts';
import {
  fieldsOf,
  parseFields,
  stringsOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { EventBuilder } from './eventBuilder.ts';
import { fileUrl } from './fileUrl.ts';
import { busEvents } from './opencodeEvents.ts';
import { opencodeFirstMessage } from './opencodeFirstMessage.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import { opencodeCommandLine } from '../common/commandLines.ts';
import { trimOpencode } from '../trim/opencodeTrim.ts';

const AGENT = 'opencode';

export const opencode: AgentAdapter = {
  agent: AGENT,
  restore: {
    level: 'resume',
    canTrim: true,
    hazards: ['Messages and parts have to get new ids, or the copy has none.'],
  },
  transcripts: ({ env, home }) => ({
    kind: 'sqlite',
    file: `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/opencode/opencode.db`,
  }),
  sessionOfPath: () => undefined,
  createParser: () => new OpencodeRows(),
  hasCodeHooks: true,
  hookEvents: ({ payload, seenNs }) => {
    const type = textOf(payload['type']) ?? '';
    const event = {
      type,
      properties: fieldsOf(payload['properties']),
      role: textOf(payload['role']),
    };
    return busEvents(new EventBuilder(AGENT, 'hook'), event, seenNs);
  },
  // Its title is that of the session.
  statusOfTitle: () => undefined,
  additions: ({ folder, socket, waitMs, env }) => {
    const file = `${folder}/opencode-plugin.js`;
    const own = env['OPENCODE_CONFIG_CONTENT'];
    const config = own ? parseFields(own) : {};
    // What the user gives this way stays as it is; if it cannot be read, nothing is added to it.
    if (!config) return NO_ADDITIONS;
    const plugin = [...stringsOf(config['plugin']), fileUrl(file)];
    return {
      args: [],
      env: { OPENCODE_CONFIG_CONTENT: stringifyExactJson({ ...config, plugin }) },
      files: [{ path: file, text: opencodePlugin(socket, waitMs) }],
    };
  },
  trim: trimOpencode,
  tellFirst: opencodeFirstMessage,
  commandLine: opencodeCommandLine,
};

/**
 * The rows of its database, each a line:
 * `{"table":"message"|"part","id":…,"session_id":…,"message_id":…,"role":…,"data":{…}}`, a part with its message's role.
 */
class OpencodeRows implements TranscriptParser {
  readonly #make = new EventBuilder(AGENT, 'transcript');

  push(line: string, seenNs: bigint): AgentEvent[] {
    const row = parseFields(line);
    if (!row) return this.#make.unreadable(seenNs, line);
    const data = fieldsOf(row['data']);
    const id = textOf(row['id']) ?? '';
    // One database has them all: the next one that a person begins, too.
    this.#make.session = textOf(row['session_id']);
    if (row['table'] === 'session') return [];
    if (row['table'] === 'message') return this.#turnEnd(data);
    const messageID = textOf(row['message_id']) ?? '';
    const role = textOf(row['role']);
    const part = { ...data, id, messageID };
    return busEvents(
      this.#make,
      { type: 'message.part.updated', properties: { part }, role },
      seenNs,
    );
  }

  /** The last answer to a prompt, complete. */
  #turnEnd(message: Fields): AgentEvent[] {
    const endNs = timeNsOf(fieldsOf(message['time'])['completed']);
    const prompt = textOf(message['parentID']);
    if (message['finish'] !== 'stop' || endNs === undefined || prompt === undefined) return [];
    const fields = { kind: 'turn.completed', outcome: 'done' } as const;
    return [this.#make.event(`turn/${prompt}`, endNs, fields)];
  }
}
