import type { Terminal } from '@xterm/xterm';
import type { Printer } from '../../../base/softHyphens.ts';
import type { SequenceParser } from '../../../base/terminalLimits.ts';

export interface InputHandler extends Printer {
  readonly _parser: SequenceParser;
}

interface PrivateTerminal {
  readonly _core?: { readonly _inputHandler?: Partial<InputHandler> };
}

/**
 * Returns xterm.js’s internal input handler: handlers of the public parser can't change parameters
 * and characters.
 */
export function inputHandler(terminal: Terminal): InputHandler {
  const handler = (terminal as unknown as PrivateTerminal)._core?._inputHandler;
  if (
    typeof handler?.print !== 'function' ||
    typeof handler._parser?.registerCsiHandler !== 'function'
  )
    throw new Error('xterm.js has no internal parser where this version of the page expects it.');
  return handler as InputHandler;
}
