// Records the mock agent in this terminal, then prints the recording.
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDemoAgent } from '../../test/mockAgent/demo/demoAgent.ts';
import { makeDemoProject } from '../../test/mockAgent/demo/demoProject.ts';
import { build, node } from '../steps.mjs';

build([]);
const root = mkdtempSync(path.join(os.tmpdir(), 'ah-demo-'));
const workspace = path.join(root, 'pool');
mkdirSync(workspace);
makeDemoProject(workspace, '# AH Time Travel: the demo\n');
const { program, env } = makeDemoAgent(path.join(root, 'agent'), { endsByItself: true });
const cli = path.resolve('dist/cli.cjs');
const options = { cwd: workspace, env: { ...process.env, ...env } };
node([cli, 'agent', 'record', '--', program], options);
node([cli, 'agent', 'replay', '--print-meta'], options);
console.log(`
The agent worked in ${workspace}. What you can do now:
  node dist/cli.cjs agent sessions             all sessions
  node dist/cli.cjs agent replay --speed 4     the whole session again
  node dist/cli.cjs agent replay --at 0:20     the screen of that moment
  node dist/cli.cjs agent branch-points        its lines, with the moments one can go back to

To let it go on from a moment with another instruction, in a folder of its own:
  cd ${workspace}
  CLAUDE_CONFIG_DIR=${env.CLAUDE_CONFIG_DIR} \\
    node ${cli} agent branch --at 0:50 --message "Fix the pool"`);
