// The demo: records the mock agent in this terminal, then shows what was recorded.
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, node } from '../steps.mjs';

build([]);
const workspace = mkdtempSync(path.join(os.tmpdir(), 'ah-demo-'));
const agent = ['test/mockAgent/main.ts', 'test/mockAgent/scenarios/demo.yaml', '--dir', workspace];
node(['dist/cli.cjs', 'agent', 'record', '--', process.execPath, ...agent]);
node(['dist/cli.cjs', 'agent', 'replay', '--print-meta']);
console.log(`
The agent worked in ${workspace}. What you can do now:
  node dist/cli.cjs agent sessions             all sessions
  node dist/cli.cjs agent replay --speed 4     the whole session again
  node dist/cli.cjs agent replay --at 0:20     the screen of that moment
  node dist/cli.cjs agent branch-points        its lines, with the moments one can go back to`);
