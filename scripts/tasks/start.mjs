// Opens a real VS Code with the extension, which records the mock agent.
import { build, node } from '../steps.mjs';

build([]);
node(['test/vscode/demo/demoMain.ts']);
