import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outputBefore } from '../../../src/branching/node/plan/outputBefore.ts';
import { cliFile, collect } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** A script around an agent that AH does not know. */
const WRAPPER = `
if [ -n "$AH_BRANCH_REPLAY" ]; then cat "$AH_BRANCH_REPLAY" > told; printf '%s' "$AH_BRANCH_MESSAGE" >> told; exit; fi
printf '\\033[1mFirst I look\\033[0m around, \\303\\274ber.\\r\\nhalf\\rwhole line\\r\\n'
"$AH" agent fs snapshot --label one > /dev/null
echo 'Then I write.' ; "$AH" agent fs snapshot --label two > /dev/null
`;

describe('an unknown program in a branch', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  function ah(...args: string[]) {
    const program = path.join(place.path, 'ah');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cliFile}' "$@"\n`, {
      mode: 0o755,
    });
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1', AH: program };
    const cwd = path.join(place.path, 'project');
    const child = spawn(program, ['agent', ...args], { env, cwd, stdio: 'pipe' });
    child.stdin.end();
    return collect(child);
  }

  it('gets the output before the moment in a file, and nothing after it', async () => {
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const recorded = await ah('record', '--', '/bin/sh', '-c', WRAPPER);
    assert.equal(recorded.exitCode, 0, recorded.stderr);
    const made = await ah('branch', '--snapshot', '2', '--name', 'x', '--message', ' now "this" ');
    assert.equal(made.exitCode, 0, made.stderr);
    assert.match(made.stderr, /AH_BRANCH_REPLAY names a file with the output before the moment/);
    const branch = path.join(`${workspace}.branches`, 'x');
    const told = readFileSync(path.join(branch, 'told'), 'utf8');
    assert.equal(told, 'First I look around, über.\nwhole line\nnow "this"');
    assert.equal(await userGit(branch, 'status', '--porcelain'), '?? told\n');
    assert.ok(!existsSync(path.join(workspace, '.ah')));
    const json = JSON.parse(readFileSync(path.join(branch, '.ah/branch.json'), 'utf8')) as {
      agentDetails: { printed: string };
    };
    assert.ok(existsSync(path.join(branch, '.ah', json.agentDetails.printed)));
    // Nothing is written into the original folder.
    const dry = await ah('branch', '--snapshot', '2', '--in-place', '--dry-run');
    assert.doesNotMatch(dry.stderr, /AH_BRANCH_REPLAY/);
  });

  it('works in the branch, even if its options name the original’s folder', async () => {
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const program = path.join(workspace, 'agent.sh');
    const script = '#!/bin/sh\nfor w; do case $w in --out=*) pwd > "${w#--out=}";; esac; done\n';
    writeFileSync(program, script, { mode: 0o755 });
    const out = path.join(workspace, 'out.txt');
    await ah('record', '--', './agent.sh', `--out=${out}`, `--log-to=file://${out}`);
    assert.equal(readFileSync(out, 'utf8'), `${workspace}\n`);
    const made = await ah('branch', '--at', 'now', '--name', 'x');
    assert.equal(made.exitCode, 0, made.stderr);
    const branch = path.join(`${workspace}.branches`, 'x');
    assert.equal(readFileSync(out, 'utf8'), `${workspace}\n`, 'the original’s is as it was');
    assert.equal(readFileSync(path.join(branch, 'out.txt'), 'utf8'), `${branch}\n`);
  });

  it('starts without the file if the snapshot has a link in place of .ah', async () => {
    const workspace = path.join(place.path, 'project');
    const outside = path.join(place.path, 'outside');
    for (const folder of [workspace, outside]) mkdirSync(folder);
    await userGit(workspace, 'init', '-q');
    symlinkSync(outside, path.join(workspace, '.ah'));
    await ah('record', '--', '/bin/sh', '-c', 'echo hello');
    const made = await ah('branch', '--at', 'now', '--name', 'x', '--no-launch');
    assert.equal(made.exitCode, 0, made.stderr);
    assert.ok(!existsSync(path.join(outside, 'restore')) && !existsSync(`${outside}/branch.json`));
  });

  it('gets the end of a long output, in whole lines', async () => {
    const script = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo "line $i"; done';
    const launched = await sandbox.current.launch(['/bin/sh', '-c', script]);
    await sandbox.current.settled();
    const all = await outputBefore(launched.recording, Number.MAX_SAFE_INTEGER);
    assert.ok(Buffer.byteLength(all) <= 48_000);
    assert.match(all, /^line \d+\n[^]*\nline 20000$/);
    assert.equal(await outputBefore(launched.recording, 16), 'line 1\nline 2');
    assert.equal(await outputBefore(`${launched.recording}.gone`, 8), '');
  });
});
