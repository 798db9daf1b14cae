// Which features a changed file belongs to. Tests of processes and of the editor are filed in a folder for each feature.

const FEATURES = [
  ...[
    'agents',
    'branching',
    'btrfs',
    'cli',
    'compatibility',
    'extension',
    'mockAgent',
    'recording',
    'scrub',
  ],
  ...['search', 'sessions', 'snapshots', 'timeline'],
];

/** Folders that have another name than the feature that they are part of. */
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

/** Features that write what later builds have to read, or speak with recorders that outlive their build. */
const LASTING = ['agents', 'branching', 'btrfs', 'recording', 'sessions', 'snapshots'];

/** @param {string} file below the project's folder @returns {string[]} none for a file that no test runs */
export function featuresOf(file) {
  const folders = file.split('/').slice(0, -1);
  if (folders[0] !== 'src') return [];
  const found = folders.flatMap((name) => [
    ...(FEATURES.includes(name) ? [name] : []),
    ...(PARTS[name] ?? []),
  ]);
  // The folder of a window is in each of its features: only what is in no other is its own.
  const isSpecific = found.some((name) => name !== 'extension');
  const features = isSpecific ? found.filter((name) => name !== 'extension') : found;
  // A window writes nothing by itself: it uses the modules that do.
  const isLasting = folders[1] !== 'extension' && features.some((name) => LASTING.includes(name));
  if (isLasting) features.push('compatibility');
  if (features.length > 0) return [...new Set(features)];
  return folders.some((name) => SHARED.includes(name)) || folders.length <= 2 ? FEATURES : [];
}
