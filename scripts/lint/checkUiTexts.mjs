import path from 'node:path';
import { refusedUiTexts } from './uiTexts.mjs';

const refused = refusedUiTexts(path.resolve(import.meta.dirname, '../..'));
for (const sentence of refused) console.error(sentence);
process.exitCode = refused.length > 0 ? 1 : 0;
