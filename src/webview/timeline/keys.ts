import * as l10n from '@vscode/l10n';

/** The actions of keys and buttons. */
export type KeyAction =
  | 'toggle'
  | 'play'
  | 'stepBack'
  | 'stepForward'
  | 'previousMoment'
  | 'nextMoment'
  | 'previousSnapshot'
  | 'nextSnapshot'
  | 'branch'
  | 'openSnapshot'
  | 'search'
  | 'nextHit'
  | 'previousHit'
  | 'start'
  | 'end'
  | 'pageBack'
  | 'pageForward'
  | 'smallBack'
  | 'smallForward'
  | 'slower'
  | 'faster'
  | 'follow'
  | 'toggleIdle'
  | 'zoomIn'
  | 'zoomOut'
  | 'zoomReset'
  | 'textSmaller'
  | 'textLarger'
  | 'textReset'
  | 'help';

interface Binding {
  readonly keys: readonly string[];
  readonly action: KeyAction;
}

interface KeyHelp {
  readonly keys: string;
  readonly text: string;
}

/** Keys as in `KeyboardEvent.key`: upper-case and lower-case letters are different keys. */
const BINDINGS: readonly Binding[] = [
  { keys: [' '], action: 'toggle' },
  { keys: ['l', 'L'], action: 'play' },
  { keys: ['j', 'J'], action: 'stepBack' },
  { keys: ['k', 'K'], action: 'stepForward' },
  { keys: ['['], action: 'previousMoment' },
  { keys: [']'], action: 'nextMoment' },
  { keys: ['{'], action: 'previousSnapshot' },
  { keys: ['}'], action: 'nextSnapshot' },
  { keys: ['i'], action: 'branch' },
  { keys: ['s'], action: 'openSnapshot' },
  { keys: ['/'], action: 'search' },
  { keys: ['n'], action: 'nextHit' },
  { keys: ['N'], action: 'previousHit' },
  { keys: ['g', 'Home'], action: 'start' },
  { keys: ['G', 'End'], action: 'end' },
  { keys: ['PageUp'], action: 'pageBack' },
  { keys: ['PageDown'], action: 'pageForward' },
  { keys: ['ArrowLeft'], action: 'smallBack' },
  { keys: ['ArrowRight'], action: 'smallForward' },
  { keys: ['<'], action: 'slower' },
  { keys: ['>'], action: 'faster' },
  { keys: ['f'], action: 'follow' },
  { keys: ['d'], action: 'toggleIdle' },
  { keys: ['+', '='], action: 'zoomIn' },
  { keys: ['-'], action: 'zoomOut' },
  { keys: ['0'], action: 'zoomReset' },
  { keys: ['t'], action: 'textSmaller' },
  { keys: ['T'], action: 'textLarger' },
  { keys: ['r'], action: 'textReset' },
  { keys: ['?'], action: 'help' },
];

/** The key help, which `?` opens. */
export const KEY_HELP: readonly KeyHelp[] = [
  { keys: 'Space', text: l10n.t('Play or pause') },
  { keys: 'J  K', text: l10n.t('Previous, next output') },
  { keys: 'L', text: l10n.t('Play') },
  { keys: '[  ]', text: l10n.t('Previous, next moment') },
  { keys: '{  }', text: l10n.t('Previous, next snapshot') },
  { keys: 'i', text: l10n.t('Branch here') },
  { keys: 's', text: l10n.t('Open the snapshot at this position') },
  { keys: '/', text: l10n.t('Search the terminal output') },
  { keys: 'n  N', text: l10n.t('Next, previous hit') },
  { keys: 'g  G', text: l10n.t('To the start, to the end (also Home, End)') },
  { keys: 'PgUp  PgDn', text: l10n.t('Back, forward by a tenth of the visible range') },
  { keys: '←  →', text: l10n.t('Back, forward by a hundredth of the visible range') },
  { keys: '<  >', text: l10n.t('Slower, faster') },
  { keys: 'f', text: l10n.t('Follow the running session') },
  { keys: 'd', text: l10n.t('Toggle skipping of idle time') },
  { keys: '+  -  0', text: l10n.t('Zoom in, out, to fit') },
  { keys: 't  T  r', text: l10n.t('Text smaller, larger, to fit') },
  { keys: '?', text: l10n.t('Show these keys') },
];

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const ACTIONS = new Map(BINDINGS.flatMap(({ keys, action }) => keys.map((key) => [key, action])));

/** Returns undefined for key combinations with Ctrl, Alt or Meta, which belong to the editor. */
export function actionOf(pressed: PressedKey): KeyAction | undefined {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined;
  return ACTIONS.get(pressed.key);
}
