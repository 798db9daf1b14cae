import { Emitter, type Event } from '../base/emitter.ts';
import { messageOf, UserError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Carries messages: over a socket, between threads, or to and from a webview. */
export interface Transport extends Disposable {
  send(json: unknown, binary?: Uint8Array): void;
  readonly onMessage: Event<{ json: unknown; binary: Uint8Array | undefined }>;
  /**
   * Fires when the connection ends. If there is a reason, pending and later requests fail with it.
   */
  readonly onClose: Event<Error | void>;
}

/** The requests that one side answers, and the events it receives. */
export interface Protocol {
  readonly requests: Record<string, { params: unknown; result: unknown }>;
  readonly events: Record<string, unknown>;
}

/** For a side without requests, or without events. */
export type None = Record<string, never>;

/** A side that sends requests and receives only replies. */
export interface RequesterProtocol extends Protocol {
  readonly requests: None;
  readonly events: None;
}

export interface Payload<T> {
  readonly body: T;
  readonly binary?: Uint8Array | undefined;
}

/** Answers every request of `P`. Parameters are untrusted: each handler checks its own. */
export type RequestHandlers<P extends Protocol> = {
  [K in keyof P['requests']]: (
    params: unknown,
    binary: Uint8Array | undefined,
  ) => Promise<Payload<P['requests'][K]['result']>>;
};

export type EventHandlers<P extends Protocol> = {
  [K in keyof P['events']]: (body: unknown, binary: Uint8Array | undefined) => void;
};

interface Envelope {
  readonly id?: number;
  readonly replyTo?: number;
  readonly name?: string;
  readonly body?: unknown;
  readonly error?: { code: string; message: string };
}

interface Pending {
  resolve(payload: Payload<never>): void;
  reject(error: Error): void;
}

/**
 * Typed requests, replies and events over a {@link Transport}. This side implements `Ours`, the
 * other side `Theirs`. An error thrown by a request handler is sent back as the reply; closing
 * rejects pending requests.
 */
export class Channel<Ours extends Protocol, Theirs extends Protocol> implements Disposable {
  readonly #transport: Transport;
  readonly #requests: RequestHandlers<Ours>;
  readonly #events: EventHandlers<Ours>;
  readonly #pending = new Map<number, Pending>();
  readonly #closed = new Emitter<void>();
  #nextId = 1;
  #closeReason: Error | undefined;

  /** Fires once, when either side closes. */
  readonly onDidClose: Event<void> = this.#closed.event;

  constructor(transport: Transport, requests: RequestHandlers<Ours>, events: EventHandlers<Ours>) {
    this.#transport = transport;
    this.#requests = requests;
    this.#events = events;
    transport.onMessage(({ json, binary }) => this.#receive(json, binary));
    transport.onClose((reason) => this.#close(reason ?? undefined));
  }

  request<K extends keyof Theirs['requests'] & string>(
    name: K,
    params: Theirs['requests'][K]['params'],
    binary?: Uint8Array,
  ): Promise<Payload<Theirs['requests'][K]['result']>> {
    if (this.#closeReason) return Promise.reject(this.#closeReason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#transport.send({ id, name, body: params } satisfies Envelope, binary);
    });
  }

  /** Sends an event, which has no reply. */
  notify<K extends keyof Theirs['events'] & string>(
    name: K,
    body: Theirs['events'][K],
    binary?: Uint8Array,
  ): void {
    if (!this.#closeReason) this.#transport.send({ name, body } satisfies Envelope, binary);
  }

  dispose(): void {
    this.#transport.dispose();
    this.#close();
  }

  #receive(json: unknown, binary: Uint8Array | undefined): void {
    const envelope = asEnvelope(json);
    if (envelope?.replyTo !== undefined) this.#settle(envelope.replyTo, envelope, binary);
    else if (envelope?.name !== undefined && envelope.id !== undefined) {
      void this.#answer(envelope.id, envelope.name, envelope.body, binary);
    } else if (envelope?.name !== undefined) {
      ownValue(this.#events, envelope.name)?.(envelope.body, binary);
    }
  }

  async #answer(id: number, name: string, params: unknown, binary?: Uint8Array): Promise<void> {
    let reply: Payload<unknown>;
    try {
      const handler = ownValue(this.#requests, name);
      if (!handler) throw new UserError('unknown-request', `There is no request "${name}".`);
      reply = await handler(params, binary);
    } catch (error) {
      const code = error instanceof UserError ? error.code : 'internal';
      this.#send({ replyTo: id, error: { code, message: messageOf(error) } });
      return;
    }
    this.#send({ replyTo: id, body: reply.body }, reply.binary);
  }

  #send(envelope: Envelope, binary?: Uint8Array): void {
    if (!this.#closeReason) this.#transport.send(envelope, binary);
  }

  #settle(id: number, envelope: Envelope, binary: Uint8Array | undefined): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (envelope.error) {
      pending.reject(new UserError(envelope.error.code, envelope.error.message));
    } else {
      pending.resolve({ body: envelope.body as never, binary });
    }
  }

  #close(reason: Error = closedError()): void {
    if (this.#closeReason) return;
    this.#closeReason = reason;
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
    this.#closed.fire();
    this.#closed.dispose();
  }
}

/** The other side sends the names: `toString` must not find an inherited function. */
function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function closedError(): UserError {
  return new UserError('connection-closed', 'The connection was closed.');
}

function asEnvelope(json: unknown): Envelope | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { id, replyTo, name, body, error } = json as Record<string, unknown>;
  return {
    ...(typeof id === 'number' && { id }),
    ...(typeof replyTo === 'number' && { replyTo }),
    ...(typeof name === 'string' && { name }),
    ...(isError(error) && { error }),
    body,
  };
}

function isError(value: unknown): value is { code: string; message: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}
