import { valueOf } from '../../common/continuation/commandLine.ts';
import type { LaunchMode, ModeRequest } from '../../common/continuation/launchMode.ts';
import { fieldsOf, parseFields, textOf, timeNsOf, type Fields } from '../../common/untrusted.ts';

/**
 * Permissions are part of the copied session. Each prompt names the model and opencode's agent,
 * such as the careful `plan`.
 */
export function opencodeModeAt({ lines, untilNs, args }: ModeRequest): LaunchMode {
  const prompts = promptsOf(lines);
  const last = prompts.filter(({ timeNs }) => timeNs <= untilNs).at(-1)?.data;
  const namedAgent = valueOf(args, ['--agent']);
  const namedModel = valueOf(args, ['-m', '--model']);
  const agent = textOf(last?.['agent']) ?? namedAgent;
  const model = (last && modelOf(last)) ?? namedModel;
  const dropped = new Set<string>();
  const options: string[] = [];
  if (agent !== undefined && agent !== namedAgent) {
    dropped.add('--agent');
    options.push('--agent', agent);
  }
  const isModelChanged = new Set(prompts.map(({ data }) => modelOf(data))).size > 1;
  if (model !== undefined && model !== namedModel && isModelChanged) {
    dropped.add('-m').add('--model');
    options.push('--model', model);
  }
  const words = [...(agent === undefined ? [] : [`agent ${agent}`])];
  if (args.includes('--auto')) words.push('approves everything automatically');
  const permissions = words.length === 0 ? undefined : words.join(', ');
  return { permissions, model, dropped, options, warnings: [] };
}

/** The prompts in order; a later row replaces an earlier one with the same ID. */
function promptsOf(lines: readonly string[]): readonly { timeNs: bigint; data: Fields }[] {
  const prompts = new Map<string, { timeNs: bigint; data: Fields }>();
  for (const line of lines) {
    const row = parseFields(line);
    const data = fieldsOf(row?.['data']);
    const id = textOf(row?.['id']);
    const timeNs = timeNsOf(fieldsOf(data['time'])['created']);
    if (row?.['table'] !== 'message' || data['role'] !== 'user') continue;
    if (id !== undefined && timeNs !== undefined) prompts.set(id, { timeNs, data });
  }
  return [...prompts.values()];
}

function modelOf(prompt: Fields): string | undefined {
  const { providerID, modelID } = fieldsOf(prompt['model']);
  const provider = textOf(providerID);
  const model = textOf(modelID);
  return provider === undefined || model === undefined ? undefined : `${provider}/${model}`;
}
