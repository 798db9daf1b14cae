import { checks } from '../steps.mjs';

process.exitCode = await checks();
