import { stringifyExactJson } from '../../base/exactJson.ts';
import { NO_ADDITIONS, type AgentAdapter } from '../common/adapter.ts';
import type { AgentEvent } from '../common/events/events.ts';
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
import { opencodeCommandLine } from './commandLines.ts';
import { opencodeModeAt } from './modes/opencodeMode.ts';
import { RecordParser } from './recordParser.ts';
import { trimOpencode } from '../trim/opencodeTrim.ts';

const AGENT = 'opencode';

export const opencode: AgentAdapter = {
  agent: AGENT,
  transcripts: ({ env, home }) => ({
    kind: 'sqlite',
    file: `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/opencode/opencode.db`,
  }),
  sessionOfPath: () => undefined,
  createParser: () => new OpencodeRows(AGENT),
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
  // The title shows the session's name, not its state.
  statusOfTitle: () => undefined,
  additions: ({ folder, socket, waitMs, env }) => {
    const file = `${folder}/opencode-plugin.js`;
    const own = env['OPENCODE_CONFIG_CONTENT'];
    const config = own ? parseFields(own) : {};
    // Extends the user's own value; adds no plugin if that value can't be parsed.
    if (!config) return NO_ADDITIONS;
    const plugin = [...stringsOf(config['plugin']), fileUrl(file)];
    return {
      args: [],
      env: { OPENCODE_CONFIG_CONTENT: stringifyExactJson({ ...config, plugin }) },
      files: [{ path: file, text: opencodePlugin(socket, waitMs) }],
    };
  },
  trim: trimOpencode,
  sendFirstMessage: opencodeFirstMessage,
  commandLine: opencodeCommandLine,
  modeAt: opencodeModeAt,
};

/**
 * Parses rows of the agent's database, each as one line:
 * `{"table":"message"|"part","id":…,"session_id":…,"message_id":…,"role":…,"data":{…}}`.
 * A part has the role of its message.
 */
class OpencodeRows extends RecordParser {
  protected record(row: Fields, _timeNs: bigint, seenNs: bigint): AgentEvent[] {
    const data = fieldsOf(row['data']);
    const id = textOf(row['id']) ?? '';
    // The database has all sessions, so the session may change with each row.
    this.make.session = textOf(row['session_id']);
    if (row['table'] === 'session') return [];
    if (row['table'] === 'message') return this.#turnEnd(data);
    const messageID = textOf(row['message_id']) ?? '';
    const role = textOf(row['role']);
    const part = { ...data, id, messageID };
    return busEvents(
      this.make,
      { type: 'message.part.updated', properties: { part }, role },
      seenNs,
    );
  }

  /** The end of a turn, if the message is the complete last answer to a prompt. */
  #turnEnd(message: Fields): AgentEvent[] {
    const endNs = timeNsOf(fieldsOf(message['time'])['completed']);
    const prompt = textOf(message['parentID']);
    if (message['finish'] !== 'stop' || endNs === undefined || prompt === undefined) return [];
    return [this.make.turnCompleted(prompt, endNs, 'done')];
  }
}
