import { checks } from '../steps.mjs';

await checks();
