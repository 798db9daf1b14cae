import { stringifyExactJson } from '../../../base/exactJson.ts';
import { valueOf } from '../../common/continuation/commandLine.ts';
import type { LaunchMode, ModeRequest } from '../../common/continuation/launchMode.ts';
import {
  fieldsOf,
  listOf,
  stringsOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../../common/untrusted.ts';
import { timedRecords } from '../../trim/timedRecords.ts';

const BYPASS = '--dangerously-bypass-approvals-and-sandbox';
/** Every option that sets the policy for approvals or the sandbox. */
const PERMISSION_OPTIONS = [
  BYPASS,
  '--approve-for-me',
  '-a',
  '--ask-for-approval',
  '-s',
  '--sandbox',
];
const MODEL_OPTIONS = ['-m', '--model'];
const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'];

interface Recorded {
  readonly approval: string;
  readonly sandbox: string;
  readonly reviewer: string | undefined;
  readonly policy: Fields;
  /** The recorded policies, if the branch starts with other ones. */
  readonly before: string | undefined;
}

/**
 * Codex records the settings of each turn. The branch gets them as `-c` options, which all of its
 * subcommands accept.
 */
export function codexModeAt(request: ModeRequest): LaunchMode {
  const { args, moved } = request;
  const last = settingsAt(request);
  const named = valueOf(args, MODEL_OPTIONS);
  if (!last) {
    const permissions = PERMISSION_OPTIONS.some((option) => args.includes(option))
      ? startedText(args)
      : undefined;
    const warnings = permissions === undefined ? [UNKNOWN] : [];
    return { permissions, model: named, dropped: new Set(), options: [], warnings };
  }
  const recorded = recordedIn(last);
  const model = textOf(last['model']);
  const isBypassed = recorded.approval === 'never' && recorded.sandbox === 'danger-full-access';
  const isSame = isBypassed && args.includes(BYPASS);
  const dropped = new Set(isSame ? [] : PERMISSION_OPTIONS);
  const options = isSame ? [] : permissionOptions(recorded, moved);
  if (model !== undefined && model !== named) {
    for (const option of MODEL_OPTIONS) dropped.add(option);
    options.push('-m', model);
  }
  const { before } = recorded;
  const permissions = `${approvalText(recorded)}, ${recorded.sandbox}`;
  return {
    permissions,
    ...(before !== undefined && { permissionsBefore: before }),
    model: model ?? named,
    dropped,
    options,
    warnings:
      before === undefined
        ? []
        : [`Codex can't be started with “${before}” again: it starts with “${permissions}”.`],
  };
}

const UNKNOWN =
  'The permissions of that moment are not recorded: Codex starts with the permissions in its settings.';

/**
 * The settings of the last turn before the moment, with the changes that the user made after it.
 */
function settingsAt(request: ModeRequest): Fields | undefined {
  let settings: Fields | undefined;
  for (const { fields, isInTime } of timedRecords(request, (each) => timeNsOf(each['timestamp']))) {
    const payload = fieldsOf(fields['payload']);
    if (!isInTime) continue;
    if (fields['type'] === 'turn_context') settings = payload;
    if (payload['type'] !== 'thread_settings_applied') continue;
    const { sandbox_policy: policy, ...changed } = fieldsOf(payload['thread_settings']);
    const type = sandboxOf(fieldsOf(changed['permission_profile'])) ?? '';
    const known = fieldsOf(settings?.['sandbox_policy']);
    const sandbox = policy ?? (known['type'] === type ? known : { type });
    settings = { ...settings, ...changed, sandbox_policy: sandbox };
  }
  return settings;
}

/**
 * The sandbox of a permission profile, which does not name it but lists the folders that the agent
 * may write to.
 */
function sandboxOf({ type, file_system: files }: Fields): string | undefined {
  if (type === 'disabled') return 'danger-full-access';
  if (type !== 'managed') return undefined;
  const entries = listOf(fieldsOf(files)['entries']);
  return entries.some(({ access }) => access === 'write') ? 'workspace-write' : 'read-only';
}

function recordedIn(context: Fields): Recorded {
  const policy = fieldsOf(context['sandbox_policy']);
  const sandbox = textOf(policy['type']) ?? '';
  const approval = textOf(context['approval_policy']);
  const reviewer = textOf(context['approvals_reviewer']);
  // An approval policy that is not a string has custom rules.
  const written = approval ?? (context['approval_policy'] === undefined ? '' : 'custom');
  // Policies that only some versions accept become the strictest one that every version accepts.
  const usable = SANDBOXES.includes(sandbox) && approval !== 'untrusted' ? sandbox : 'read-only';
  const isSame =
    ['', 'never', 'on-request'].includes(written) && (usable === sandbox || sandbox === '');
  return {
    approval: approval === 'never' ? approval : 'on-request',
    sandbox: usable,
    reviewer,
    policy,
    before: isSame ? undefined : [written, sandbox].filter((word) => word !== '').join(', '),
  };
}

function permissionOptions(
  { approval, sandbox, reviewer, policy }: Recorded,
  moved: (text: string) => string,
): string[] {
  const settings = [
    `approval_policy=${JSON.stringify(approval)}`,
    `sandbox_mode=${JSON.stringify(sandbox)}`,
  ];
  if (reviewer !== undefined) settings.push(`approvals_reviewer=${JSON.stringify(reviewer)}`);
  if (sandbox === 'workspace-write') {
    const roots = stringsOf(policy['writable_roots']).map(moved);
    const network = policy['network_access'] === true;
    settings.push(
      `sandbox_workspace_write.network_access=${network}`,
      `sandbox_workspace_write.writable_roots=${stringifyExactJson(roots)}`,
    );
  }
  return settings.flatMap((setting) => ['-c', setting]);
}

function approvalText({ approval, reviewer }: Recorded): string {
  if (approval === 'never') return 'never asks';
  return reviewer === undefined || reviewer === 'user' ? 'asks you' : 'asks an automatic reviewer';
}

function startedText(args: readonly string[]): string {
  return args
    .flatMap((word, index) => {
      if (!PERMISSION_OPTIONS.some((option) => word === option || word.startsWith(`${option}=`)))
        return [];
      const value = args[index + 1];
      return value === undefined || value.startsWith('-') || word.length > 2
        ? [word]
        : [`${word} ${value}`];
    })
    .join(' ');
}
