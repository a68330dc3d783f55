/** The contestant to beat: a plain `ws` server that sends every message to every other client, one by one. */
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { endWhenAsked, tell } from "../harness.ts";
import { relayed, type ServerReady, tellCpu } from "./workload.ts";

const readCpu = tellCpu();
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
const clients = new Set<WebSocket>();
let lastPlayer = 0;
server.on("connection", (client) => {
  clients.add(client);
  lastPlayer += 1;
  const player = lastPlayer;
  client.on("message", (payload: Buffer) => {
    readCpu();
    const message = relayed(player, payload);
    for (const each of clients) if (each !== client) each.send(message);
  });
  client.on("error", () => client.terminate());
  client.on("close", () => clients.delete(client));
});
server.on("listening", () => {
  const ready: ServerReady = { webSocketPort: (server.address() as AddressInfo).port, tcpPort: null, path: "/" };
  tell(ready);
});
// It disconnects nobody.
endWhenAsked({ disconnects: () => ({}) });
