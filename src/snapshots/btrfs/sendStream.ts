import { pathFromBytes } from '../common/pathBytes.ts';
import type { WrittenRange } from '../volume/listing.ts';

/**
 * A command in the output of `btrfs send`, reduced to what concerns paths. All numbers are
 * little-endian. Header: `btrfs-stream\0`, version (4). Command: length of its attributes (4), kind
 * (2), checksum (4), attributes. Attribute: kind (2), length (2), value.
 */
export interface SendCommand {
  readonly kind: number;
  readonly path: string;
  /** The destination of a rename. */
  readonly target: string | undefined;
  /** The range of a file that was written. */
  readonly range?: WrittenRange;
}

export const RENAME = 9;
const SUBVOLUME = 1;
const SNAPSHOT = 2;
const END = 21;
const UPDATE_EXTENT = 22;
const ATTRIBUTE_SIZE = 4;
const ATTRIBUTE_PATH = 15;
const ATTRIBUTE_TARGET = 16;
const ATTRIBUTE_OFFSET = 18;
const MAGIC = 'btrfs-stream\0';
const HEADER_LENGTH = MAGIC.length + 4;
const COMMAND_HEADER_LENGTH = 10;
const ATTRIBUTE_HEADER_LENGTH = 4;
/** Version 1 is the default of `btrfs send`; version 2 has attributes without a length. */
const VERSION = 1;

/**
 * Lists the commands in order. Returns undefined for a stream that is incomplete or not understood.
 */
export function parseSendStream(bytes: Uint8Array): SendCommand[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_LENGTH) return undefined;
  if (pathFromBytes(bytes.subarray(0, MAGIC.length)) !== MAGIC) return undefined;
  if (view.getUint32(MAGIC.length, true) !== VERSION) return undefined;
  const commands: SendCommand[] = [];
  let offset = HEADER_LENGTH;
  while (offset + COMMAND_HEADER_LENGTH <= bytes.length) {
    const kind = view.getUint16(offset + 4, true);
    const start = offset + COMMAND_HEADER_LENGTH;
    const end = start + view.getUint32(offset, true);
    if (kind === END) return commands;
    if (end > bytes.length) return undefined;
    if (kind !== SUBVOLUME && kind !== SNAPSHOT) {
      const command = parseCommand(kind, bytes.subarray(start, end));
      if (command === undefined) return undefined;
      commands.push(command);
    }
    offset = end;
  }
  return undefined;
}

function parseCommand(kind: number, attributes: Uint8Array): SendCommand | undefined {
  const view = new DataView(attributes.buffer, attributes.byteOffset, attributes.byteLength);
  let path: string | undefined;
  let target: string | undefined;
  const range = { offset: 0, length: 0 };
  let offset = 0;
  while (offset + ATTRIBUTE_HEADER_LENGTH <= attributes.length) {
    const attribute = view.getUint16(offset, true);
    const start = offset + ATTRIBUTE_HEADER_LENGTH;
    const end = start + view.getUint16(offset + 2, true);
    if (end > attributes.length) return undefined;
    if (attribute === ATTRIBUTE_PATH) path = pathFromBytes(attributes.subarray(start, end));
    if (attribute === ATTRIBUTE_TARGET) target = pathFromBytes(attributes.subarray(start, end));
    if (kind === UPDATE_EXTENT && end - start === 8) {
      const number = Number(view.getBigUint64(start, true));
      if (attribute === ATTRIBUTE_OFFSET) range.offset = number;
      if (attribute === ATTRIBUTE_SIZE) range.length = number;
    }
    offset = end;
  }
  if (path === undefined) return undefined;
  return { kind, path, target, ...(kind === UPDATE_EXTENT && { range }) };
}
