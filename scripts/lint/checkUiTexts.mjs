import path from 'node:path';
import { errorsWithoutRemedy } from './remedies.mjs';
import { refusedUiTexts } from './uiTexts.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const refused = [...refusedUiTexts(root), ...errorsWithoutRemedy(root)];
for (const sentence of refused) console.error(sentence);
process.exitCode = refused.length > 0 ? 1 : 0;
