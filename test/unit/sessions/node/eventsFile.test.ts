import assert from 'node:assert/strict';
import { appendFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { EVENTS_FILE, EventsFile, readEvents } from '../../../../src/sessions/node/eventsFile.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { message, prompt, tokens } from '../../agents/common/someEvents.ts';

describe('EventsFile', () => {
  const folder = useTemporaryFolder();
  const file = (): string => path.join(folder.path, EVENTS_FILE);

  it('keeps events when it is opened again, each once, readable only by the owner', async () => {
    const events = [prompt('a'), message('b'), tokens(1, 2)];
    const first = await EventsFile.open(folder.path);
    await Promise.all([first.append([events[0]!, events[1]!]), first.append([events[2]!])]);
    await first.close();
    const second = await EventsFile.open(folder.path);
    await second.append([events[0]!]);
    await second.close();
    assert.deepEqual(await readEvents(folder.path), events);
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it('reads the valid lines of a damaged file', async () => {
    const events = [prompt('a'), message('b'), tokens(1, 2)];
    const writer = await EventsFile.open(folder.path);
    await writer.append([events[0]!, events[1]!]);
    await truncate(file(), (await stat(file())).size - 5);
    assert.deepEqual(await readEvents(folder.path), [events[0]]);
    await appendFile(file(), '\n{"kind":"error"}\n');
    await writer.append([events[2]!]);
    await writer.close();
    assert.deepEqual(await readEvents(folder.path), [events[0], events[2]]);
    assert.deepEqual(await readEvents(path.join(folder.path, 'none')), []);
  });
});
