import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { AgentContext } from '../agentContext.ts';
import {
  base64Bytes,
  fileMode,
  flag,
  optional,
  required,
  text,
  withDefault,
  workspacePath,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { fillVariables } from '../terminal/print.ts';
import { showEdit, showNewFile } from '../tools/showFileChange.ts';
import { performTool, toolFields, type ToolCall } from '../tools/toolCall.ts';

const writeStep = defineStep({
  name: 'write',
  fields: {
    path: required(workspacePath),
    content: optional(text),
    base64: optional(base64Bytes),
    mode: optional(fileMode),
    ...toolFields,
  },
  check: ({ content, base64 }) =>
    (content === undefined) === (base64 === undefined)
      ? 'give either content or base64'
      : undefined,
  play({ path: file, content, base64, mode, ...options }, context) {
    const written = base64 ?? fillVariables(content ?? '', context.variables);
    const call = fileCall('Write', context, file, {
      content: typeof written === 'string' ? written : written.toString('base64'),
    });
    return performTool(context, call, options, async () => {
      const target = path.join(context.folder, file);
      const before = await readFile(target, 'utf8').catch(() => undefined);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, written);
      if (mode !== undefined) await chmod(target, mode);
      if (typeof written !== 'string') return done(`Wrote ${written.length} bytes to ${file}`);
      const shown =
        before === undefined ? showNewFile(file, written) : showEdit(file, before, written);
      return { shown, result: `File written: ${file}` };
    });
  },
});

const editStep = defineStep({
  name: 'edit',
  fields: {
    path: required(workspacePath),
    find: required(text),
    replace: required(text),
    all: withDefault(flag, false),
    ...toolFields,
  },
  play({ path: file, find, replace, all, ...options }, context) {
    const details = { old_string: find, new_string: replace, replace_all: all };
    return performTool(context, fileCall('Edit', context, file, details), options, async () => {
      const target = path.join(context.folder, file);
      const before = await readFile(target, 'utf8');
      if (!before.includes(find)) throw new Error(`${file} does not contain the text to replace`);
      // Functions, so that "$&" in a scenario is not special.
      const after = all
        ? before.replaceAll(find, () => replace)
        : before.replace(find, () => replace);
      await writeFile(target, after);
      return { shown: showEdit(file, before, after), result: `File updated: ${file}` };
    });
  },
});

const appendStep = defineStep({
  name: 'append',
  fields: { path: required(workspacePath), content: required(text), ...toolFields },
  play({ path: file, content, ...options }, context) {
    const filled = fillVariables(content, context.variables);
    const call = fileCall('Edit', context, file, { old_string: '', new_string: filled });
    return performTool(context, call, options, async () => {
      const target = path.join(context.folder, file);
      const before = await readFile(target, 'utf8').catch(() => '');
      await appendFile(target, filled);
      return { shown: showEdit(file, before, before + filled), result: `File updated: ${file}` };
    });
  },
});

const deleteStep = defineStep({
  name: 'delete',
  shorthand: 'path',
  fields: { path: required(workspacePath), ...toolFields },
  play: ({ path: file, ...options }, context) =>
    performTool(context, shellCall(`rm -r ${file}`), options, async () => {
      await rm(path.join(context.folder, file), { recursive: true });
      return done(`Deleted ${file}`);
    }),
});

const renameStep = defineStep({
  name: 'rename',
  fields: { from: required(workspacePath), to: required(workspacePath), ...toolFields },
  play: ({ from, to, ...options }, context) =>
    performTool(context, shellCall(`mv ${from} ${to}`), options, async () => {
      await mkdir(path.dirname(path.join(context.folder, to)), { recursive: true });
      await rename(path.join(context.folder, from), path.join(context.folder, to));
      return done(`Renamed ${from} to ${to}`);
    }),
});

const mkdirStep = defineStep({
  name: 'mkdir',
  shorthand: 'path',
  fields: { path: required(workspacePath), ...toolFields },
  play: ({ path: folder, ...options }, context) =>
    performTool(context, shellCall(`mkdir -p ${folder}`), options, async () => {
      await mkdir(path.join(context.folder, folder), { recursive: true });
      return done(`Made folder ${folder}`);
    }),
});

const chmodStep = defineStep({
  name: 'chmod',
  fields: { path: required(workspacePath), mode: required(fileMode), ...toolFields },
  play: ({ path: file, mode, ...options }, context) =>
    performTool(context, shellCall(`chmod ${mode.toString(8)} ${file}`), options, async () => {
      await chmod(path.join(context.folder, file), mode);
      return done(`Permissions of ${file} are now ${mode.toString(8)}`);
    }),
});

/** The target is not checked, so that a link may be broken or lead outside. */
const symlinkStep = defineStep({
  name: 'symlink',
  fields: { path: required(workspacePath), target: required(text), ...toolFields },
  play: ({ path: link, target, ...options }, context) =>
    performTool(context, shellCall(`ln -s ${target} ${link}`), options, async () => {
      await mkdir(path.dirname(path.join(context.folder, link)), { recursive: true });
      await symlink(target, path.join(context.folder, link));
      return done(`Linked ${link} to ${target}`);
    }),
});

function fileCall(name: string, context: AgentContext, file: string, details: object): ToolCall {
  return { name, title: file, input: { file_path: path.join(context.folder, file), ...details } };
}

function shellCall(command: string): ToolCall {
  return { name: 'Bash', title: command, input: { command } };
}

function done(sentence: string): { shown: string[]; result: string } {
  return { shown: [sentence], result: sentence };
}

export const fileSteps = [
  writeStep,
  editStep,
  appendStep,
  deleteStep,
  renameStep,
  mkdirStep,
  chmodStep,
  symlinkStep,
];
