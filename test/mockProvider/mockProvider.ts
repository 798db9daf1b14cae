import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './api/anthropic.ts';
import { gemini } from './api/gemini.ts';
import { responses } from './api/responses.ts';
import type { Conversation, ModelApi, Reply } from './conversation.ts';
import type { Answer, Fault, Scenario } from './scenario.ts';
import { dueAnswer, isSideRequest, replyOf, sideReply } from './script.ts';

const APIS: readonly ModelApi[] = [anthropic, responses, gemini];
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** A received model request. */
export interface LoggedCall {
  readonly api: ModelApi['name'];
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly conversation: Conversation;
  /** The prompt of the answering turn; undefined for side requests. */
  readonly turn: string | undefined;
  /** The index of the turn's answer. */
  readonly answer: number | undefined;
  readonly fault: Fault['kind'] | undefined;
}

/** The three providers' APIs on loopback, with scripted, reproducible answers. */
export class MockProvider {
  readonly #server: Server;
  readonly #scenario: Scenario;
  readonly #faults = new Map<Fault, number>();
  /** Model requests, in the order of arrival. */
  readonly calls: LoggedCall[] = [];
  /** Paths of all other requests. */
  readonly otherRequests: string[] = [];
  /** Mistakes in the script, such as a tool that the agent lacks, for tests to check. */
  readonly problems: string[] = [];
  /** Called for each model request. */
  onCall: (call: LoggedCall) => void = () => {};

  private constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.problems.push(String(error));
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { error: { message: String(error) } });
      });
    });
  }

  static async start(scenario: Scenario, port = 0): Promise<MockProvider> {
    const provider = new MockProvider(scenario);
    await new Promise<void>((resolve, reject) => {
      provider.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return provider;
  }

  /** Without a trailing slash; any path may follow. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests that the script answered. */
  get scripted(): readonly LoggedCall[] {
    return this.calls.filter(({ turn }) => turn !== undefined);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const api = APIS.find((one) => request.method === 'POST' && one.isModelCall(path));
    if (!api) {
      this.otherRequests.push(`${request.method} ${path}`);
      request.resume();
      return sendJson(response, 404, { error: { message: 'Not here.' } });
    }
    const body = await readJson(request);
    const conversation = api.conversation(body, path);
    const due = isSideRequest(conversation) ? undefined : dueAnswer(this.#scenario, conversation);
    const fault = due && this.#takeFault(due.answer);
    const call: LoggedCall = {
      api: api.name,
      path,
      headers: request.headers,
      body,
      conversation,
      turn: due?.turn.prompt,
      answer: due?.index,
      fault: fault?.kind,
    };
    this.calls.push(call);
    this.onCall(call);
    if (due) await sleep(due.answer.latencyMs);
    if (fault?.kind === 'status') return sendJson(response, fault.status, api.error(fault.status));
    const reply = due ? replyOf(due.answer, conversation) : sideReply(conversation);
    if (conversation.isStreamed) {
      return sendStream(response, api.stream(reply), due?.answer.eventDelayMs ?? 0, fault);
    }
    return sendWhole(response, api, reply, fault);
  }

  #takeFault(answer: Answer): Fault | undefined {
    if (!answer.fault) return undefined;
    const used = this.#faults.get(answer.fault) ?? 0;
    if (used >= answer.fault.times) return undefined;
    this.#faults.set(answer.fault, used + 1);
    return answer.fault;
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw new Error('The request is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  response.end(JSON.stringify(body));
}

function sendWhole(response: ServerResponse, api: ModelApi, reply: Reply, fault?: Fault): void {
  if (fault) response.destroy();
  else sendJson(response, 200, api.whole(reply));
}

async function sendStream(
  response: ServerResponse,
  events: readonly string[],
  delayMs: number,
  fault?: Fault,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const cut = fault && fault.kind !== 'status' ? fault.afterEvents : events.length;
  for (const event of events.slice(0, cut)) {
    response.write(event);
    if (delayMs > 0) await sleep(delayMs);
  }
  if (fault?.kind !== 'hangUp') {
    response.end();
    return;
  }
  // The written data must arrive first: a reset may overtake it.
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.socket?.destroy();
}
