/** Our contestant: the server as it is published, with room for the load client's sockets from one address. */
import { limitMemory, startServer } from "@wirewalk/server";
import { mapleStory } from "wirewalk/maplestory";
import { systemClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { relay } from "./relay.ts";
import { memoryNow, runOn, type ServerReady, type ServerTask, tellCpu } from "./workload.ts";

interface Served {
  readonly protocol: PlayableProtocol;
  readonly dialect?: string;
}

const { messages, sockets, roomSize, core, growsFreely = false } = contestantTask<ServerTask>();
runOn(core);
const served: Readonly<Record<ServerTask["messages"], Served>> = {
  relay: { protocol: relay(roomSize) },
  slime: { protocol: slimeOnline2 as unknown as PlayableProtocol, dialect: "documented" },
  maplestory: { protocol: mapleStory as unknown as PlayableProtocol, dialect: "v62" },
};
const server = await startServer({
  http: 0,
  demo: true,
  listeners: [{ ...served[messages], port: 0 }],
  budgets: { sessionsPerAddress: sockets },
});
if (!growsFreely) limitMemory(systemClock, () => server.stats().sessions);
tell({
  webSocketPort: server.httpAddress?.port ?? 0,
  tcpPort: server.listeners[0]?.port ?? null,
  path: `/ws/${served[messages].protocol.name}`,
} satisfies ServerReady);
tellCpu();
endWhenAsked({
  disconnects: () => server.stats().disconnects,
  memory: () => memoryNow(server.stats().sessions),
  async collected() {
    // Some finalizers free memory that the next collection finds.
    for (let times = 0; times < 3; times += 1) {
      globalThis.gc?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return memoryNow(server.stats().sessions);
  },
});
