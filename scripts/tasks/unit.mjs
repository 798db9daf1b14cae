import { unitTests } from '../steps.mjs';

unitTests(process.argv.slice(2));
