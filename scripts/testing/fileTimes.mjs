// Stores the duration of each test file's last run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { resultsFolder } from './testLog.mjs';

const timesFile = path.join(resultsFolder, 'fileSeconds.json');

/** @returns {Map<string, number>} */
export function readFileSeconds() {
  return new Map(existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : []);
}

/** @param {readonly import('./testLog.mjs').LogEntry[]} log of whole files */
export function keepFileSeconds(log) {
  const measured = new Map();
  for (const { file, ms, kind } of log) {
    if (file && kind !== 'window') measured.set(file, (measured.get(file) ?? 0) + ms / 1000);
  }
  writeFileSync(timesFile, JSON.stringify([...new Map([...readFileSeconds(), ...measured])]));
}
