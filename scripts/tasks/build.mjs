import { build } from '../steps.mjs';

build(process.argv.slice(2));
