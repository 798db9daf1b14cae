import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Columns of `/proc/net/tcp`. */
const LOCAL_ADDRESS = 1;
const REMOTE_ADDRESS = 2;
const STATE = 3;
const USER = 7;
const INODE = 9;
/** Established, or the peer has sent everything and waits for our answer. */
const OPEN_STATES = new Set(['01', '04', '05']);
const IPV4_MAPPED = '0000000000000000FFFF0000';
const IPV6_LOOPBACK = '00000000000000000000000001000000';

/**
 * Whether the other end of a loopback connection belongs to this user. The kernel lists both ends
 * of the connection; in the peer's entry, the local address is our remote address. False if the
 * kernel provides no such list.
 */
export function isOwnTcpPeer(socket: Socket): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true; // Windows has no such list. We only listen on loopback.
  const peer = ends(socket.remoteAddress, socket.remotePort);
  const own = ends(socket.localAddress, socket.localPort);
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((table) =>
    entries(table).some(
      (columns) =>
        peer.has(columns[LOCAL_ADDRESS]) &&
        own.has(columns[REMOTE_ADDRESS]) &&
        OPEN_STATES.has(columns[STATE] ?? '') &&
        // Ends that their process has closed have no inode and seem to belong to root.
        columns[INODE] !== '0' &&
        columns[USER] === String(user),
    ),
  );
}

function entries(table: string): string[][] {
  try {
    const lines = readFileSync(table, 'utf8').split('\n').slice(1);
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    // The table does not exist.
    return [];
  }
}

/**
 * How `/proc/net/tcp` and `/proc/net/tcp6` write a loopback address: as words in the byte order of
 * the machine. An IPv4 address may also be written as an IPv6 address.
 */
function ends(address = '', port = 0): Set<string | undefined> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  if (address === '::1') return new Set([`${IPV6_LOOPBACK}:${hexPort}`]);
  const word = Buffer.from(
    address
      .replace(/^::ffff:/i, '')
      .split('.')
      .map(Number)
      .reverse(),
  );
  const ipv4 = `${word.toString('hex').toUpperCase()}:${hexPort}`;
  return new Set([ipv4, `${IPV4_MAPPED}${ipv4}`]);
}
