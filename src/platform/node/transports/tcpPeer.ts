import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

const LOCAL_ADDRESS_COLUMN = 1;
const REMOTE_ADDRESS_COLUMN = 2;
const USER_COLUMN = 7;

/**
 * Whether the other end of a loopback connection belongs to this user. The kernel lists both ends
 * of the connection; in the peer's entry, the local port is our remote port. False if the kernel
 * provides no such list.
 */
export function isOwnTcpPeer(socket: Socket): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true; // Windows has no such list. We only listen on loopback.
  const peerPort = hexPort(socket.remotePort);
  const ownPort = hexPort(socket.localPort);
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((table) =>
    entries(table).some(
      (columns) =>
        columns[LOCAL_ADDRESS_COLUMN]?.endsWith(peerPort) &&
        columns[REMOTE_ADDRESS_COLUMN]?.endsWith(ownPort) &&
        columns[USER_COLUMN] === String(user),
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

function hexPort(port: number | undefined): string {
  return `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
