import { chmodSync } from 'node:fs';
import type { Server } from 'node:net';

export type ListenAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** Starts to listen; a socket file can be used only by its owner. */
export async function listenPrivately(server: Server, address: ListenAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (address.kind === 'socket') server.listen(address.path, resolve);
    else server.listen(address.port, address.host, resolve);
  });
  // From now on an error concerns one connection, which closes by itself.
  server.on('error', () => {});
  if (address.kind === 'socket' && process.platform !== 'win32') chmodSync(address.path, 0o600);
}
