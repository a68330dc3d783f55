/** Our contestant: the server as it is published, with room for the load client's sockets from one address. */
import { startServer } from "@wirewalk/server";
import type { Protocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { contestantTask, endWhenTold, tell } from "../harness.ts";
import { relay } from "./relay.ts";
import { type ServerReady, type ServerTask, SOCKETS, tellCpu } from "./workload.ts";

const { messages } = contestantTask<ServerTask>();
const served: { readonly protocol: Protocol; readonly dialect?: string } =
  messages === "slime" ? { protocol: slimeOnline2 as unknown as Protocol, dialect: "documented" } : { protocol: relay };
const server = await startServer({
  http: 0,
  listeners: [{ ...served, port: 0 }],
  budgets: { sessionsPerAddress: SOCKETS },
});
tell({
  webSocketPort: server.httpAddress?.port ?? 0,
  tcpPort: server.listeners[0]?.port ?? null,
  path: `/ws/${served.protocol.name}`,
} satisfies ServerReady);
tellCpu();
endWhenTold();
