/**
 * A server that falls for every attack: it accepts every connection and every request, closes nothing, judges no player and
 * lets no player play.
 */
import { createServer, type Socket } from "node:net";
import { defaultDialect, type PlayableProtocol } from "wirewalk/protocol";
import type { Target } from "../target.ts";

/** A target of which no attack may say that it held. */
export async function startWeakServer(protocols: Readonly<Record<string, PlayableProtocol>>): Promise<Target> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  // It answers no bytes of a game and ends no connection, not even one that the peer has ended.
  const game = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket);
    socket.resume();
  });
  const web = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket);
    let isOpen = false;
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (isOpen) return;
      isOpen = /upgrade: websocket/i.test(text);
      // A request that is not finished is accepted, and so is everything after a WebSocket's handshake.
      if (text.includes("\n\n") || text.includes("\r\n\r\n") || text.startsWith("\x16")) socket.write(answerTo(isOpen));
    });
  });
  const ports = await Promise.all(
    [game, web].map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  const [gamePort = 0, webPort = 0] = ports;
  return {
    host: "127.0.0.1",
    http: webPort,
    games: new Map(
      Object.values(protocols).map((protocol) => [
        protocol.name,
        { protocol, dialect: defaultDialect(protocol), port: gamePort },
      ]),
    ),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([game, web].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function answerTo(isUpgrade: boolean): string {
  if (!isUpgrade) return "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\n";
  const extensions = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${extensions}\r\n`;
}
