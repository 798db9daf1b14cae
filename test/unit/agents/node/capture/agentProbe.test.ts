import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeAgentProbe } from '../../../../../src/agents/node/capture/agentProbe.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('NodeAgentProbe', () => {
  const folder = useTemporaryFolder();

  function makeAgent(name: string, script: string): string {
    const file = path.join(folder.path, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }
  const makeProbe = (versionTimeoutMs?: number) => {
    const PATH = `${folder.path}${path.delimiter}${process.env['PATH']}`;
    return new NodeAgentProbe({ PATH }, versionTimeoutMs);
  };

  it('finds programs on PATH only', () => {
    const file = makeAgent('claude', 'echo 1.2.3');
    writeFileSync(path.join(folder.path, 'codex'), 'not executable', { mode: 0o644 });
    assert.equal(makeProbe().find('claude'), file);
    assert.equal(makeProbe().find('codex'), undefined);
  });

  it('runs --version once per version of the file', async () => {
    const count = path.join(folder.path, 'count');
    const file = makeAgent('claude', `echo x >> ${count}; echo 1.2.3`);
    const probe = makeProbe();
    assert.match((await probe.versionText(file))!, /1\.2\.3/);
    await probe.versionText(file);
    assert.equal(readFileSync(count, 'utf8'), 'x\n');
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    await probe.versionText(file);
    assert.equal(readFileSync(count, 'utf8'), 'x\nx\n');
  });

  it('returns no version of a program that fails or hangs', async () => {
    const failing = makeAgent('failing', 'echo 9.9.9; exit 1');
    const hanging = makeAgent('hanging', 'exec sleep 60');
    assert.equal(await makeProbe().versionText(failing), undefined);
    assert.equal(await makeProbe(50).versionText(hanging), undefined);
  });
});
