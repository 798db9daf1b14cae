import type { FactKind } from '../../agents/common/events/fact.ts';
import type { FoundFact, SearchedSession } from './factSource.ts';
import type { None } from '../../rpc/channel.ts';

/** Requests to the search thread. */
export interface SearchThreadProtocol {
  readonly requests: {
    readonly search: { readonly params: SearchParams; readonly result: readonly FoundFact[] };
    readonly latest: { readonly params: LatestParams; readonly result: readonly FoundFact[] };
  };
  readonly events: None;
}

interface FactParams {
  /** All sessions that exist; the index deletes the facts of other sessions. */
  readonly sessions: readonly SearchedSession[];
  readonly limit: number;
}

export interface SearchParams extends FactParams {
  readonly text: string;
}

export interface LatestParams extends FactParams {
  readonly kinds: readonly FactKind[];
}

export interface SearchThreadData {
  readonly indexFile: string;
}
