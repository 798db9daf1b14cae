import { valueOf } from '../../common/continuation/commandLine.ts';
import {
  NO_MODE,
  type LaunchMode,
  type ModeRequest,
} from '../../common/continuation/launchMode.ts';
import { textOf, timeNsOf } from '../../common/untrusted.ts';
import { timedRecords } from '../../trim/timedRecords.ts';

/**
 * Gemini CLI records neither its approval mode nor whether the user or a router chose the model.
 */
export function geminiModeAt(request: ModeRequest): LaunchMode {
  const { args } = request;
  const isYolo = args.includes('-y') || args.includes('--yolo');
  const started = isYolo ? 'yolo' : valueOf(args, ['--approval-mode']);
  const model = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp))
    .filter(({ isInTime }) => isInTime)
    .findLast(({ fields }) => textOf(fields['model']) !== undefined)?.fields['model'];
  const how = started === undefined ? 'with its settings' : `in the mode ${started} again`;
  return {
    ...NO_MODE,
    permissions: started,
    model: textOf(model) ?? valueOf(args, ['-m', '--model']),
    warnings: [`Gemini CLI doesn't record changes of approval mode and model: it starts ${how}.`],
  };
}
