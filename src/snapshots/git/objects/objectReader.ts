import { concatenate } from '../../../base/bytes.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import type { RunningProgram } from '../../common/ports.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const LINE_END = 10;

export interface StoredObject {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface ObjectInfo {
  readonly type: string;
  readonly size: number;
}

/** Reads objects of one store through a long-running `git cat-file`. */
export class ObjectReader {
  readonly #contents: BatchProgram;
  readonly #infos: BatchProgram;

  /** @param start starts `git cat-file` with one more option */
  constructor(start: (option: '--batch' | '--batch-check') => RunningProgram) {
    this.#contents = new BatchProgram(() => start('--batch'));
    this.#infos = new BatchProgram(() => start('--batch-check'));
  }

  /** Returns undefined if there is no such object, or if it is damaged. */
  async read(oid: string): Promise<StoredObject | undefined> {
    let hasBegun = false;
    try {
      return await this.#contents.ask(oid, async (header, take) => {
        const info = parseHeader(header);
        if (!info) return undefined;
        hasBegun = true;
        const bytes = await take(info.size + 1);
        return { type: info.type, bytes: bytes.subarray(0, info.size) };
      });
    } catch (error) {
      // git ends when it meets a damaged object.
      if (!hasBegun) throw error;
      this.#contents.dispose();
      return undefined;
    }
  }

  info(oid: string): Promise<ObjectInfo | undefined> {
    return this.#infos.ask(oid, (header) => Promise.resolve(parseHeader(header)));
  }

  dispose(): void {
    this.#contents.dispose();
    this.#infos.dispose();
  }
}

type Take = (length: number) => Promise<Uint8Array>;

class BatchProgram {
  readonly #start: () => RunningProgram;
  readonly #sequencer = new Sequencer();
  #program: RunningProgram | undefined;
  #rest: Uint8Array = new Uint8Array();

  constructor(start: () => RunningProgram) {
    this.#start = start;
  }

  ask<T>(oid: string, answer: (header: string, take: Take) => Promise<T>): Promise<T> {
    // Untested: commitOf checks the IDs in references, and all other IDs come from git.
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new Error(`${oid} is not the ID of an object.`);
    return this.#sequencer.queue(async () => {
      try {
        return await this.#askOnce(oid, answer);
      } catch {
        // The program was killed, or its output does not match the question: ask a new program.
        this.dispose();
        return await this.#askOnce(oid, answer);
      }
    });
  }

  async #askOnce<T>(oid: string, answer: (header: string, take: Take) => Promise<T>): Promise<T> {
    this.#program ??= this.#start();
    this.#program.write(encoder.encode(`${oid}\n`));
    const header = await this.#takeLine();
    return answer(header, (length) => this.#take(length));
  }

  async #takeLine(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_END);
      if (end >= 0) return decoder.decode((await this.#take(end + 1)).subarray(0, end));
      await this.#more();
    }
  }

  async #take(length: number): Promise<Uint8Array> {
    if (this.#rest.length < length) await this.#gather(length);
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** Joins once at the end: an object may arrive in thousands of pieces. */
  async #gather(length: number): Promise<void> {
    const pieces = [this.#rest];
    let have = this.#rest.length;
    while (have < length) {
      const piece = await this.#next();
      pieces.push(piece);
      have += piece.length;
    }
    this.#rest = concatenate(pieces);
  }

  async #more(): Promise<void> {
    const piece = await this.#next();
    this.#rest = concatenate([this.#rest, piece]);
  }

  async #next(): Promise<Uint8Array> {
    const piece = await this.#program?.read();
    if (!piece) throw new Error('git cat-file ended.');
    return piece;
  }

  dispose(): void {
    this.#program?.dispose();
    this.#program = undefined;
    this.#rest = new Uint8Array();
  }
}

function parseHeader(header: string): ObjectInfo | undefined {
  const [, type, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(header) ?? [];
  return type === undefined ? undefined : { type, size: Number(size) };
}
