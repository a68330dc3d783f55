import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A listener on 127.0.0.1 and its connections. */
export interface Listening extends Address {
  close(): Promise<void>;
}

/** Connections that one listener takes: a test has a few. */
const MOST_CONNECTIONS = 64;

/** `serve` ends when its connection does. Other reasons of a failure go to `onProblem`. */
export async function listenLocally(
  port: number,
  serve: (socket: Socket) => Promise<void>,
  onProblem: (problem: Error) => void,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket).catch((problem: Error) => {
      if (!socket.destroyed) onProblem(problem);
      socket.destroy();
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
