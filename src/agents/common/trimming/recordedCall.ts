import type { ExactValue } from '../../../base/exactJson.ts';

/** A tool call in a transcript. */
export interface RecordedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: ExactValue;
}
