import { t } from './words.ts';

/** Everything that a key can do. */
export type KeyAction =
  | 'toggle'
  | 'play'
  | 'stepBack'
  | 'stepForward'
  | 'previousMoment'
  | 'nextMoment'
  | 'previousSnapshot'
  | 'nextSnapshot'
  | 'intervene'
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
  | 'help';

interface Binding {
  readonly keys: readonly string[];
  readonly action: KeyAction;
}

interface KeyHelp {
  readonly keys: string;
  readonly text: string;
}

/** As `KeyboardEvent.key` names them. Letters are what was typed, so that a shifted one is another key. */
const BINDINGS: readonly Binding[] = [
  { keys: [' '], action: 'toggle' },
  { keys: ['l', 'L'], action: 'play' },
  { keys: ['j', 'J'], action: 'stepBack' },
  { keys: ['k', 'K'], action: 'stepForward' },
  { keys: ['['], action: 'previousMoment' },
  { keys: [']'], action: 'nextMoment' },
  { keys: ['{'], action: 'previousSnapshot' },
  { keys: ['}'], action: 'nextSnapshot' },
  { keys: ['i'], action: 'intervene' },
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
  { keys: ['?'], action: 'help' },
];

/** What `?` lists. */
export const KEY_HELP: readonly KeyHelp[] = [
  { keys: 'Space', text: t('Play or pause') },
  { keys: 'J  K', text: t('One output back, one further') },
  { keys: 'L', text: t('Play') },
  { keys: '[  ]', text: t('Previous, next moment') },
  { keys: '{  }', text: t('Previous, next snapshot of the files') },
  { keys: 'i', text: t('Intervene: branch from here') },
  { keys: 's', text: t('Open the snapshot of the files here') },
  { keys: '/', text: t('Search all that was ever shown') },
  { keys: 'n  N', text: t('Next, previous hit') },
  { keys: 'g  G', text: t('To the start, to the end (also Home, End)') },
  { keys: 'PgUp  PgDn', text: t('A tenth of the shown time back, further') },
  { keys: '←  →', text: t('A little back, further') },
  { keys: '<  >', text: t('Slower, faster') },
  { keys: 'f', text: t('Follow the running session') },
  { keys: 'd', text: t('Skip idle time, or not') },
  { keys: '+  -  0', text: t('Zoom in, out, all') },
  { keys: '?', text: t('These keys') },
];

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const ACTIONS = new Map(BINDINGS.flatMap(({ keys, action }) => keys.map((key) => [key, action])));

/** Nothing for keys that belong to the editor or the browser: those with Ctrl, Alt or the system's own. */
export function actionOf(pressed: PressedKey): KeyAction | undefined {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined;
  return ACTIONS.get(pressed.key);
}
