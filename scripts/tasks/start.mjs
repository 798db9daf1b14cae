// Opens a real VS Code with the extension, where the mock agent is being recorded.
import { build, node } from '../steps.mjs';

build([]);
node(['test/vscode/demo/demoMain.ts']);
