// Runs suites by name, slow tests included: `npm run test:process`.
import { runSuites } from '../testing/runSuites.mjs';
import { suites } from '../testing/suites.mjs';

const [names, ...args] = process.argv.slice(2);
await runSuites(
  names.split(',').map((name) => suites[name]),
  { args, withSlowTests: true },
);
