import { valueOf } from '../../common/continuation/commandLine.ts';
import type { LaunchMode, ModeRequest } from '../../common/continuation/launchMode.ts';
import { fieldsOf, textOf, timeNsOf, type Fields } from '../../common/untrusted.ts';
import { timedRecords } from '../../trim/timedRecords.ts';

/** Permission modes, from the one that asks most to the one that asks least. */
const BY_FREEDOM = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions'];
/**
 * The mode that asks before each command has this name in records and in old versions; newer
 * versions call it `manual`.
 */
const ASKING = 'default';
const BYPASS = '--dangerously-skip-permissions';

/**
 * Makes sure that the launch names a permission mode: otherwise Claude Code starts in the mode of
 * its settings, which may ask less.
 */
export function claudeModeAt(request: ModeRequest): LaunchMode {
  const started = startedMode(request.args);
  const { recorded, models, exactModel } = recordedModes(request);
  const permissions = recorded ?? started ?? ASKING;
  const dropped = new Set<string>();
  const options: string[] = [];
  if (permissions !== started) {
    dropped.add('--permission-mode').add(BYPASS);
    options.push('--permission-mode', permissions);
  }
  const model = exactModel ?? models.at(-1);
  const named = valueOf(request.args, ['--model']);
  // Responses name a model differently from the `--model` option, so their name counts only if it
  // changed during the session.
  const isChanged = new Set(models).size > 1;
  const mayName = exactModel !== undefined || isChanged;
  if (model !== undefined && (isChanged || (named === undefined && mayName))) {
    dropped.add('--model');
    options.push('--model', model);
  }
  return {
    permissions: permissions === ASKING ? 'manual' : permissions,
    model: model ?? named,
    dropped,
    options,
    warnings: recorded === undefined && started === undefined ? [UNKNOWN] : [],
  };
}

const UNKNOWN =
  'The permission mode of that moment is not recorded: Claude Code starts in manual mode, which asks before it acts.';

function startedMode(args: readonly string[]): string | undefined {
  if (args.includes(BYPASS)) return 'bypassPermissions';
  const named = valueOf(args, ['--permission-mode']);
  return named === 'manual' ? ASKING : named;
}

function recordedModes(request: ModeRequest): {
  recorded: string | undefined;
  models: readonly string[];
  exactModel: string | undefined;
} {
  let recorded: string | undefined;
  // Modes from records without a time. They may be from after the moment, until a timed record from
  // before it follows.
  let unsure: string[] = [];
  const models: string[] = [];
  let exactModel: string | undefined;
  const records = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp));
  for (const { fields, isInTime, isCertain } of records) {
    if (fields['isSidechain'] === true) continue;
    const mode = isInTime ? textOf(fields['permissionMode']) : undefined;
    if (isInTime && (isCertain || fields['timestamp'] !== undefined)) {
      recorded = mode ?? unsure.at(-1) ?? recorded;
      unsure = [];
    } else if (mode !== undefined) unsure.push(mode);
    const model = modelOf(fields);
    if (!isInTime || model === undefined) continue;
    if (fields['type'] === 'attachment') exactModel = model;
    else models.push(model);
  }
  return {
    recorded: strictest([...(recorded === undefined ? [] : [recorded]), ...unsure]),
    models,
    exactModel,
  };
}

function modelOf(fields: Fields): string | undefined {
  const attachment = fieldsOf(fields['attachment']);
  if (attachment['type'] === 'model') return textOf(fieldsOf(attachment['identity'])['modelId']);
  const model = textOf(fieldsOf(fields['message'])['model']);
  // Messages that Claude Code itself adds have a model name in angle brackets.
  return fields['type'] === 'assistant' && !model?.startsWith('<') ? model : undefined;
}

/**
 * The mode that asks most, since the branch must not be allowed more than the original was. An
 * unknown mode counts as the one that asks least.
 */
function strictest(modes: readonly string[]): string | undefined {
  const freedom = (mode: string): number => {
    const at = BY_FREEDOM.indexOf(mode === 'manual' ? ASKING : mode);
    return at < 0 ? BY_FREEDOM.length : at;
  };
  return [...modes].sort((a, b) => freedom(a) - freedom(b))[0];
}
