import assert from 'node:assert/strict';
import { appendFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { EventsFile, readEvents } from '../../../src/node/agents/eventsFile.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { message, prompt, tokens } from './someEvents.ts';

describe('EventsFile', () => {
  const folder = useTemporaryFolder();
  const file = (): string => path.join(folder.path, 'session.events.jsonl');

  it('keeps events across openings, each once, for the owner alone', async () => {
    const events = [prompt('a'), message('b'), tokens(1, 2)];
    const first = await EventsFile.open(file());
    await Promise.all([first.append([events[0]!, events[1]!]), first.append([events[2]!])]);
    await first.close();
    const second = await EventsFile.open(file());
    await second.append([events[0]!]);
    await second.close();
    assert.deepEqual(await readEvents(file()), { events, problems: [] });
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it('gives back what is good of a damaged file, and says what is not', async () => {
    const events = [prompt('a'), message('b')];
    const writer = await EventsFile.open(file());
    await writer.append(events);
    await writer.close();
    await truncate(file(), (await stat(file())).size - 5);
    const torn = await readEvents(file());
    assert.deepEqual(torn.events, [events[0]]);
    assert.deepEqual(torn.problems, ['Line 2: The line is not JSON.']);
    await appendFile(file(), '\n{"kind":"error"}\n');
    assert.equal((await readEvents(file())).problems.length, 2);
    assert.deepEqual(await readEvents(`${file()}.none`), { events: [], problems: [] });
  });
});
