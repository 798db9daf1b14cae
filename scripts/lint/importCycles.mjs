// Finds import cycles between files, type imports included: files that import each other can only be
// understood, moved and tested together.
import path from 'node:path';
import ts from 'typescript';

/**
 * @param {ReadonlyMap<string, string>} sources text by path, with `/`
 * @returns {string[][]} one cycle of each group of files that reach each other
 */
export function importCycles(sources) {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
  const state = { imports, depths: new Map(), stack: [], cycles: [] };
  for (const file of sources.keys()) if (!state.depths.has(file)) visit(file, state);
  return state.cycles;
}

/** Depth first. An import of a file on the stack closes a cycle. */
function visit(file, state) {
  const { imports, depths, stack, cycles } = state;
  depths.set(file, stack.length);
  stack.push(file);
  for (const target of imports.get(file) ?? []) {
    if (!imports.has(target)) continue;
    const depth = depths.get(target);
    if (depth === undefined) visit(target, state);
    else if (depth !== DONE) cycles.push([...stack.slice(depth), target]);
  }
  stack.pop();
  depths.set(file, DONE);
}

const DONE = -1;

function importsOf(file, text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.posix.dirname(file), name));
}
