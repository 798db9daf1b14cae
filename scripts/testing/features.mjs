// Maps changed files to features. Process tests and VS Code tests have a folder for each feature.

const FEATURES = [
  'agents',
  'branching',
  'btrfs',
  'cli',
  'compatibility',
  'extension',
  'mockAgent',
  'recording',
  'scrub',
  'search',
  'sessions',
  'snapshots',
  'timeline',
];

/** Folders whose name differs from their feature's. */
const PARTS = {
  branches: ['branching'],
  host: ['recording', 'sessions', 'snapshots'],
  recordings: ['recording'],
  terminal: ['recording', 'timeline'],
  terminals: ['sessions'],
  transcript: ['timeline'],
  volume: ['btrfs'],
  webview: ['timeline'],
};

/** Folders that every feature uses. */
const SHARED = ['base', 'platform', 'redaction', 'rpc'];

/** Features whose files later builds read, or that talk to recorders of older builds. */
const LASTING = ['agents', 'branching', 'btrfs', 'recording', 'sessions', 'snapshots'];

/**
 * @param {string} file below the project's folder
 * @returns {string[]} none for a file that no test runs
 */
export function featuresOf(file) {
  const folders = file.split('/').slice(0, -1);
  if (folders[0] !== 'src') return [];
  const found = folders.flatMap((name) => [
    ...(FEATURES.includes(name) ? [name] : []),
    ...(PARTS[name] ?? []),
  ]);
  // Files of the extension belong to their feature; only files without one belong to the extension.
  const isSpecific = found.some((name) => name !== 'extension');
  const features = isSpecific ? found.filter((name) => name !== 'extension') : found;
  // The extension writes files only through modules of other features.
  const isLasting = folders[1] !== 'extension' && features.some((name) => LASTING.includes(name));
  if (isLasting) features.push('compatibility');
  if (features.length > 0) return [...new Set(features)];
  return folders.some((name) => SHARED.includes(name)) || folders.length <= 2 ? FEATURES : [];
}
