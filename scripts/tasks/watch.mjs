import { build } from '../steps.mjs';

build(['--watch']);
