import { node, bin } from '../steps.mjs';

node([bin('prettier/bin/prettier.cjs'), '--write', '--log-level', 'warn', '.']);
