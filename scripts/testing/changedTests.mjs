// Chooses the tests that a change affects: unit tests by their imports, others by the folder of
// their feature.
import { globSync } from 'node:fs';
import path from 'node:path';
import { featuresOf } from './features.mjs';
import { ImportGraph } from './importGraph.mjs';

/**
 * Suites, fastest first, with the folder of their features and the seconds for a file and for a
 * start.
 */
const FILED = [
  {
    suite: 'process',
    pattern: (feature) => `test/process/${feature}/*.test.ts`,
    fileS: 6,
    jobs: 3,
  },
  {
    suite: 'processAlone',
    pattern: (feature) => `test/process/${feature}/alone/*.test.ts`,
    fileS: 12,
  },
  {
    suite: 'page',
    pattern: (feature) => `test/vscode/page/${feature}/*.test.ts`,
    fileS: 15,
    jobs: 2,
  },
  {
    suite: 'inHost',
    pattern: (feature) => `test/vscode/inHost/${feature}/*.test.ts`,
    fileS: 6,
    startS: 12,
  },
  {
    suite: 'promises',
    pattern: (feature) => `test/vscode/promises/${feature}/*.test.ts`,
    fileS: 30,
    startS: 5,
  },
  {
    suite: 'journeys',
    pattern: (feature) => `test/vscode/journeys/${feature}/*.test.ts`,
    fileS: 60,
    jobs: 2,
  },
  { suite: 'limits', pattern: (feature) => `test/vscode/limits/${feature}/*.test.ts`, fileS: 90 },
];
const UNIT_FILE_S = 0.8;
const UNIT_JOBS = 3;

/**
 * @param {string} root
 * @param {readonly string[]} changed files below `root`
 * @param {ReadonlyMap<string, number>} [fileSeconds] duration of each file's last run
 * @returns {{ suite: string, files: string[], seconds: number }[]}
 */
export function chooseTests(root, changed, fileSeconds = new Map()) {
  const graph = new ImportGraph(root);
  const unit = graph.dependents(changed, globSync('test/unit/**/*.test.ts', { cwd: root }));
  const features = [...new Set(changed.flatMap(featuresOf))];
  const filed = FILED.map(({ suite, pattern, ...cost }) => {
    const ofFeatures = features.flatMap((name) => globSync(pattern(name), { cwd: root }));
    // The change includes the test or a helper of it.
    const inTests = changed.filter((file) => !file.startsWith(`src${path.sep}`));
    const dependents = graph.dependents(inTests, globSync(pattern('*'), { cwd: root }));
    return { suite, files: [...new Set([...ofFeatures, ...dependents])], ...cost };
  });
  return [{ suite: 'unit', files: unit, fileS: UNIT_FILE_S, jobs: UNIT_JOBS, startS: 1 }, ...filed]
    .filter(({ files }) => files.length > 0)
    .map(({ suite, files, fileS, jobs = 1, startS = 0 }) => {
      const each = files.map((file) => fileSeconds.get(file) ?? fileS);
      const total = each.reduce((sum, seconds) => sum + seconds, 0);
      // Parallel files take at least as long as the longest one.
      const seconds = startS + Math.max(total / jobs, ...each);
      return { suite, files: files.sort(), seconds: Math.ceil(seconds) };
    });
}
