/** What a command about a moment may be told: by the timeline, a line of a transcript, the list of sessions, another extension. */
export interface BranchArgument {
  readonly sessionId: string | undefined;
  readonly byte: number | undefined;
  /** Decimal. */
  readonly snapshotId: bigint | undefined;
  readonly message: string | undefined;
}

/** Takes what it can use, whoever it comes from. */
export function parseBranchArgument(argument: unknown): BranchArgument {
  const fields = (typeof argument === 'object' && argument !== null ? argument : {}) as Partial<
    Record<'meta' | 'sessionId' | 'byte' | 'byteOffset' | 'snapshotId' | 'message', unknown>
  >;
  const { id } = (fields.meta ?? {}) as { id?: unknown };
  const byte = fields.byte ?? fields.byteOffset;
  const isByte = Number.isSafeInteger(byte) && (byte as number) >= 0;
  const snapshot = String(fields.snapshotId);
  return {
    sessionId: textOf(fields.sessionId) ?? textOf(id),
    byte: isByte ? (byte as number) : undefined,
    snapshotId: /^\d{1,20}$/.test(snapshot) ? BigInt(snapshot) : undefined,
    message: textOf(fields.message),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
