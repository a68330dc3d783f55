/** What a server counts from its start on. */
import type { Verdict } from "wirewalk/motion";
import type { ServerStats } from "../server-options.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { LinkKind } from "../session/links.ts";
import type { HostedWorld } from "../worlds/hosted-world.ts";
import { CounterSet } from "./metrics.ts";

export class ServerCounts {
  readonly disconnects = new CounterSet();
  readonly verdicts = new CounterSet();
  readonly #byReason: Partial<Record<DisconnectReason, number>> = {};

  /** `protocol` is the game of the world, or the page as the world is. */
  disconnect(world: string, protocol: string, carrier: LinkKind, reason: DisconnectReason): void {
    this.disconnects.add({ protocol, world, carrier, reason });
    this.#byReason[reason] = (this.#byReason[reason] ?? 0) + 1;
  }

  verdict(world: HostedWorld, { rule, kind }: Verdict): void {
    this.verdicts.add({ protocol: world.protocol.name, world: world.name, rule, kind });
  }

  /** `sessions` are the connections that are open now. */
  stats(sessions: number, worlds: Iterable<HostedWorld>): ServerStats {
    let [players, messagesIn, bytesIn, bytesOut, deliveries, writes, refusedPayloads] = [0, 0, 0, 0, 0, 0, 0];
    for (const { host, traffic } of worlds) {
      players += host.players.size;
      deliveries += host.counts.deliveries;
      writes += host.counts.writes;
      for (const carrier of [traffic.tcp, traffic.websocket]) {
        messagesIn += carrier.messagesIn;
        bytesIn += carrier.bytesIn;
        bytesOut += carrier.bytesOut;
        refusedPayloads += carrier.refusedPayloads;
      }
    }
    const disconnects = { ...this.#byReason };
    return { sessions, players, messagesIn, bytesIn, bytesOut, deliveries, writes, refusedPayloads, disconnects };
  }
}
