import { valueOf } from '../../common/continuation/commandLine.ts';
import {
  changesOf,
  type LaunchMode,
  type ModeRequest,
} from '../../common/continuation/launchMode.ts';
import { fieldsOf, textOf, timeNsOf, type Fields } from '../../common/untrusted.ts';
import { timedRecords } from '../../trim/timedRecords.ts';

const ALLOW_ALL = ['--allow-all', '--yolo'];
const ALLOW_OPTIONS = [...ALLOW_ALL, '--allow-all-tools', '--allow-all-paths', '--allow-all-urls'];
/** Copilot CLI's name for the permissions with which it asks the user each time. */
const ASKING = 'manual';
const MODE_OPTIONS = ['--mode', '--autopilot', '--plan'];

/** Copilot CLI records each change of its permissions, mode and model. */
export function copilotModeAt(request: ModeRequest): LaunchMode {
  const { args } = request;
  const records = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp))
    .filter(({ isInTime }) => isInTime)
    .map(({ fields }) => ({ type: fields['type'], data: fieldsOf(fields['data']) }));
  const last = (type: string, name: string): string | undefined =>
    textOf(records.findLast((record) => record.type === type)?.data[name]);
  const allowed = last('session.permissions_changed', 'mode');
  const mode = last('session.mode_changed', 'newMode') ?? startedMode(args);
  const models = changesOf(records.flatMap(({ type, data }) => modelOf(type, data)));
  const model = models.at(-1);
  const dropped = new Set<string>();
  const options: string[] = [];
  if (allowed !== undefined) for (const option of ALLOW_OPTIONS) dropped.add(option);
  if (allowed === 'allow-all') options.push('--allow-all');
  for (const option of MODE_OPTIONS) dropped.add(option);
  if (mode !== undefined) options.push('--mode', mode);
  if (model !== undefined && models.length > 1) {
    dropped.add('--model');
    options.push('--model', model);
  }
  const started = args.filter((word) => ALLOW_OPTIONS.includes(word)).join(' ');
  const withMode = (permissions: string): string => `${permissions}, ${mode ?? 'interactive'}`;
  const isAssisted = allowed === 'assisted';
  return {
    permissions: withMode(isAssisted ? ASKING : (allowed ?? (started === '' ? ASKING : started))),
    ...(isAssisted && { permissionsBefore: withMode(allowed) }),
    model: model ?? valueOf(args, ['--model']),
    dropped,
    options,
    warnings: isAssisted ? [ASSISTED] : [],
  };
}

const ASSISTED =
  "Copilot CLI can't be started with assisted permissions: it asks for each approval instead.";

function startedMode(args: readonly string[]): string | undefined {
  if (args.includes('--autopilot')) return 'autopilot';
  return args.includes('--plan') ? 'plan' : valueOf(args, ['--mode']);
}

function modelOf(type: Fields[string], data: Fields): string[] {
  const name = type === 'session.model_change' ? 'newModel' : 'selectedModel';
  if (type !== 'session.start' && type !== 'session.resume' && name !== 'newModel') return [];
  const model = textOf(data[name]);
  return model === undefined ? [] : [model];
}
