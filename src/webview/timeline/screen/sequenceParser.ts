import type { Terminal } from '@xterm/xterm';
import type { SequenceParser } from '../../../base/terminalLimits.ts';

interface PrivateTerminal {
  readonly _core?: { readonly _inputHandler?: { readonly _parser?: SequenceParser } };
}

/** The public one hands out copies of a sequence's numbers, which cannot be changed. The page's only look behind xterm's interface. */
export function sequenceParser(terminal: Terminal): SequenceParser {
  const parser = (terminal as unknown as PrivateTerminal)._core?._inputHandler?._parser;
  if (typeof parser?.registerCsiHandler !== 'function') throw new Error('This is another xterm.');
  return parser;
}
