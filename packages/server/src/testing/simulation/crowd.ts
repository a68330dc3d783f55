/** A **crowd**: silent connections from one address, which want places that players need. */
import { createRandom } from "wirewalk/motion";
import type { VirtualClock } from "wirewalk/net";
import { Connection } from "./connection.ts";
import { lines } from "./network.ts";
import type { Fault } from "./plan.ts";
import type { Incarnation } from "./server-under-test.ts";

const ADDRESS = "10.9.0.1";

/** Opens the connections, which end together. */
export function openCrowd(
  base: VirtualClock,
  running: Incarnation | undefined,
  game: string,
  { connections, kind, durationMs }: Extract<Fault, { readonly fault: "crowd" }>,
): void {
  if (running === undefined) return;
  const { process, server } = running;
  const random = createRandom(connections);
  for (let number = 0; number < connections; number += 1) {
    const connection = new Connection({ base, process, kind, address: ADDRESS, line: lines.near, random });
    connection.transport.listen({ bytes: () => {}, closed: () => {} });
    process.read(() => void server.connect(game, connection.link));
    base.after(durationMs, () => connection.reset());
  }
}
