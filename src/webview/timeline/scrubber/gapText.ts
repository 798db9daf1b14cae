import * as l10n from '@vscode/l10n';
import { spanText } from '../../../base/spanText.ts';
import type { Gap } from '../../../timeline/common/recordIndex.ts';

/** Says why a span has no output, and how long it is. */
export function gapText({ fromMs, toMs, isPause }: Gap): string {
  const span = spanText(toMs - fromMs);
  return isPause ? l10n.t('not recorded, {0}', span) : l10n.t('idle {0}', span);
}
