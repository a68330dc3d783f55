/** The server as it is published, with one world. Where the game's clients send nothing, the players have no sockets. */
import { startServer } from "@wirewalk/server";
import { payloadFraming } from "wirewalk/host";
import { systemClock } from "wirewalk/net";
import { protocols } from "wirewalk/protocols";
import { contestantTask, tell } from "../harness.ts";
import type { CpuReading, Scene, ServerReady } from "./workload.ts";

const { protocol: name, dialect, room, players, playsItself } = contestantTask<Scene>();
const protocol = protocols[name];
if (protocol === undefined) throw new RangeError(`There is no protocol ${name}`);
const server = await startServer({
  http: 0,
  demo: true,
  listeners: [{ protocol, dialect }],
  budgets: { sessionsPerAddress: players + 100 },
});
const host = server.worlds[0]?.host;
if (playsItself) {
  for (let number = 1; number <= players; number += 1) {
    const joining = { account: `player ${number}`, name: `player ${number}`, room };
    host?.join({ framing: payloadFraming, deliver: () => true }, joining, systemClock.now());
  }
}
process.on("message", (message) => {
  if (message === "end") process.exit(0);
  const { user, system } = process.cpuUsage();
  tell({ cpuUs: user + system } satisfies CpuReading);
});
process.on("disconnect", () => process.exit(0));
tell({ port: server.httpAddress?.port ?? 0 } satisfies ServerReady);
