import type { TextMatch } from '../common/search/searchQuery.ts';
import type { None } from '../../rpc/channel.ts';

/** Requests to the thread that matches one regular expression. */
export interface PatternThreadProtocol {
  readonly requests: {
    /** Answered once the thread has started. */
    readonly start: { readonly params: null; readonly result: null };
    readonly match: { readonly params: string; readonly result: readonly TextMatch[] };
  };
  readonly events: None;
}
