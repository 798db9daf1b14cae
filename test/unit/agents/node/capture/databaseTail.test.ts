import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { adapterOf } from '../../../../../src/agents/adapters/adapters.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { DatabaseTail } from '../../../../../src/agents/node/capture/databaseTail.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('DatabaseTail', () => {
  const folder = useTemporaryFolder();
  let writer: DatabaseSync;
  let tail: DatabaseTail;
  let events: AgentEvent[];
  const errors: unknown[] = [];

  beforeEach(() => {
    const file = path.join(folder.path, 'opencode.db');
    writer = new DatabaseSync(file);
    writer.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      INSERT INTO session VALUES ('s1', '/w', 100), ('s2', '/other', 100), ('s0', '/w', 5);`);
    events = [];
    const parser = adapterOf('opencode')!.createParser();
    tail = new DatabaseTail(file, {
      directory: '/w',
      sinceMs: 50,
      onRow: (line, timeNs) => events.push(...parser.push(line, timeNs)),
      onError: (error) => errors.push(error),
    });
  });
  afterEach(() => {
    tail.dispose();
    writer.close();
  });

  const message = (id: string, at: number, data: object, session = 's1'): void => {
    const sql = 'INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)';
    writer.prepare(sql).run(id, session, at, at, JSON.stringify(data));
  };
  const part = (id: string, messageId: string, at: number, data: object, session = 's1'): void => {
    const sql = 'INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)';
    writer.prepare(sql).run(id, messageId, session, at, at, JSON.stringify(data));
  };

  it("reports the next session of the folder like the plugin, with the session's own ID", async () => {
    writer.exec(`INSERT INTO session VALUES ('s3', '/w', 200)`);
    message('m1', 60, { role: 'user' });
    part('p1', 'm1', 61, { type: 'text', text: 'first' });
    message('m3', 210, { role: 'user' }, 's3');
    part('p3', 'm3', 211, { type: 'text', text: 'after /new' }, 's3');
    message('m4', 220, { role: 'assistant' }, 's3');
    const said = { type: 'text', text: 'Hello.', time: { start: 220, end: 221 } };
    part('p4', 'm4', 221, said, 's3');
    while ((await tail.read()) > 0);
    assert.deepEqual(
      events.map(({ kind, agentSession }) => [kind, agentSession]),
      [
        ['user.prompt', 's1'],
        ['user.prompt', 's3'],
        ['assistant.message', 's3'],
      ],
    );
    const told = { id: 'p4', messageID: 'm4', sessionID: 's3', ...said };
    const payload = {
      type: 'message.part.updated',
      role: 'assistant',
      properties: { sessionID: 's3', part: told },
    };
    const call = { name: 'event', payload, seenNs: 221_000_000n };
    const hooked = adapterOf('opencode')!.hookEvents(call);
    assert.deepEqual(
      hooked.map(({ id }) => id),
      [events.at(-1)?.id],
    );
  });

  it('uses almost no CPU while nothing is written, also with many rows', async () => {
    writer.exec('BEGIN');
    for (let nth = 0; nth < 20_000; nth++)
      part(`p${nth}`, 'm1', 60, { type: 'text', text: 'x' }, 's2');
    writer.exec('COMMIT');
    message('m1', 60, { role: 'user' });
    part('mine', 'm1', 61, { type: 'text', text: 'go' });
    while ((await tail.read()) > 0);
    const before = process.cpuUsage();
    for (let nth = 0; nth < 200; nth++) assert.equal(await tail.read(), 0);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 200_000, `${user + system} µs for 200 looks`);
    part('next', 'm1', 62, { type: 'text', text: 'on' });
    assert.equal(await tail.read(), 1);
  });

  it('reports new and changed rows of its own sessions only', async () => {
    // The message changes after its part, as when opencode adds a summary.
    message('m1', 62, { role: 'user' });
    part('p1', 'm1', 60, { type: 'text', text: 'go' });
    message('m9', 60, { role: 'user' }, 's2');
    part('p9', 'm9', 60, { type: 'text', text: 'not mine' }, 's2');
    part('p8', 'm1', 10, { type: 'text', text: 'long ago' });
    await tail.read();
    await tail.read();
    const input = { command: 'ls' };
    message('m2', 70, { role: 'assistant', parentID: 'm1' });
    part('p2', 'm2', 70, {
      type: 'tool',
      tool: 'bash',
      callID: 'c',
      state: { status: 'running', input },
    });
    await tail.read();
    const done = { status: 'completed', input, output: 'x', time: { start: 70, end: 75 } };
    part('p2', 'm2', 75, { type: 'tool', tool: 'bash', callID: 'c', state: done });
    // This row has the same time as the last row that was read.
    part('p3', 'm2', 75, { type: 'text', text: 'Done.', time: { start: 75, end: 75 } });
    message('m2', 76, {
      role: 'assistant',
      parentID: 'm1',
      finish: 'stop',
      time: { completed: 76 },
    });
    await tail.finish();
    assert.deepEqual(
      events.map(({ kind }) => kind),
      [
        'user.prompt',
        'tool.call',
        'tool.call',
        'tool.result',
        'assistant.message',
        'turn.completed',
      ],
    );
    assert.ok(events.every(({ agentSession }) => agentSession === 's1'));
    assert.deepEqual(errors, []);
  });

  it('waits for the database to be created', async () => {
    const none = path.join(folder.path, 'none.db');
    const early = new DatabaseTail(none, {
      directory: '/w',
      sinceMs: 0,
      onRow: () => {},
      onError: (error) => errors.push(error),
    });
    assert.equal(await early.read(), 0);
    early.dispose();
    assert.deepEqual(errors, []);
  });

  it("waits for the agent's tables and writes", async () => {
    const file = path.join(folder.path, 'young.db');
    const young = new DatabaseSync(file);
    const rows: string[] = [];
    const early = new DatabaseTail(file, {
      directory: '/w',
      sinceMs: 0,
      onRow: (line: string) => rows.push(line),
      onError: (error) => errors.push(error),
    });
    await early.read();
    young.exec(`CREATE TABLE session (id TEXT, directory TEXT, time_updated INTEGER);
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`);
    await early.read();
    young.exec(`CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      INSERT INTO session VALUES ('s', '/w', 1);
      INSERT INTO part VALUES ('p', 'm', 's', 1, 1, '{}');
      BEGIN EXCLUSIVE;`);
    assert.equal(await early.read(), 0);
    young.exec('COMMIT');
    assert.equal(await early.read(), 1);
    early.dispose();
    young.close();
    assert.deepEqual(errors, []);
  });
});
