import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { paceAt } from '../../../mockAgent/pace.ts';
import { openTranscript } from '../../../mockAgent/transcript/openTranscript.ts';
import type { Transcript } from '../../../mockAgent/transcript/transcript.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

interface TranscriptRecord {
  type: string;
  uuid: string;
  parentUuid: string | null;
  sessionId: string;
  timestamp: string;
  cwd: string;
  message: { id?: string; content: Record<string, unknown>[] };
}

const settings = {
  path: 'log/session.jsonl',
  sessionId: undefined,
  startTimeMs: Date.UTC(2026, 0, 1),
  partialLines: false,
  truncateBytes: 0,
};
const options = {
  transcript: undefined,
  sessionId: undefined,
  resume: false,
  transcriptPartial: false,
  transcriptTruncate: undefined,
};

describe('mock agent: transcript', () => {
  const folder = useTemporaryFolder();
  const pace = paceAt(0);
  const file = (): string => path.join(folder.path, 'log/session.jsonl');
  const open = (changed: Partial<typeof options & typeof settings> = {}): Promise<Transcript> =>
    openTranscript(
      { ...settings, ...changed },
      { ...options, ...changed },
      { folder: folder.path, seed: 5, pace },
    );
  const read = (): TranscriptRecord[] =>
    readFileSync(file(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TranscriptRecord);
  async function playTurn(transcript: Transcript): Promise<void> {
    await transcript.prompt('fix it');
    await transcript.message('I will');
    const id = await transcript.toolUse('Bash', { command: 'ls' });
    await transcript.toolResult(id, 'a.txt', false);
    await transcript.message('done');
    await transcript.turnEnded(1200);
    await transcript.end();
  }

  it('chains its records and pairs calls with results', async () => {
    await playTurn(await open());
    const records = read();
    assert.deepEqual(
      records.map(({ type }) => type),
      ['user', 'assistant', 'assistant', 'user', 'assistant', 'system'],
    );
    records.forEach((record, index) => {
      assert.equal(record.parentUuid, records[index - 1]?.uuid ?? null);
      assert.equal(record.cwd, folder.path);
      assert.equal(record.sessionId, records[0]?.sessionId);
    });
    const [, text, use, result, last] = records;
    assert.equal(text?.message.id, use?.message.id, 'blocks of one message share its id');
    assert.notEqual(use?.message.id, last?.message.id);
    assert.equal(result?.message.content[0]?.tool_use_id, use?.message.content[0]?.id);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });

  it('is the same for the same seed, and replaces an earlier one', async () => {
    await playTurn(await open());
    const first = readFileSync(file(), 'utf8');
    await playTurn(await open());
    assert.equal(readFileSync(file(), 'utf8'), first);
    assert.equal(read()[0]?.timestamp, '2026-01-01T00:00:00.000Z');
  });

  it('continues an earlier session with new IDs', async () => {
    await playTurn(await open());
    const earlier = read();
    await playTurn(await open({ resume: true }));
    const records = read();
    assert.equal(records.length, earlier.length * 2);
    assert.equal(records[earlier.length]?.parentUuid, earlier.at(-1)?.uuid);
    assert.equal(records.at(-1)?.sessionId, earlier[0]?.sessionId);
    assert.equal(new Set(records.map(({ uuid }) => uuid)).size, records.length);
  });

  it('can be cut at its end', async () => {
    await playTurn(await open());
    const whole = readFileSync(file(), 'utf8');
    await playTurn(await open({ truncateBytes: 30 }));
    assert.equal(readFileSync(file(), 'utf8'), whole.slice(0, -30));
  });

  it('can be read while half a line is written', async () => {
    const transcript = await open({ partialLines: true });
    const writing = transcript.prompt('fix it');
    let seen = '';
    while (seen === '') {
      seen = readFileSync(file(), 'utf8');
      await new Promise(setImmediate);
    }
    assert.ok(!seen.endsWith('\n'));
    await writing;
    assert.ok(readFileSync(file(), 'utf8').endsWith('\n'));
  });
});
