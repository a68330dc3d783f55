/** What a relay counts, for `/metrics` of its page: in the format of a server, with the names of a server where the meaning is the same. */
import type { Side } from "wirewalk/protocol";
import type { RelayEvent } from "../relay/relay-events.ts";
import { CounterSet, type Metrics, type Sample } from "./metrics.ts";

export interface RelayMetricsSources {
  /** Connections that are open now. */
  readonly connections: () => number;
  /** Undefined for a world without maps. */
  readonly mapsUsed: () => number | undefined;
  /** Undefined where nothing is recorded. */
  readonly lostRecords: () => number | undefined;
}

export class RelayCounts {
  readonly #labels: { readonly protocol: string; readonly world: string };
  #opened = 0;
  readonly #messages: Record<Side, number> = { client: 0, server: 0 };
  readonly #unreadable: Record<Side, number> = { client: 0, server: 0 };
  readonly #verdicts = new CounterSet();
  readonly #policies = new CounterSet();
  /** By kind: the world counts those that are not told, too. */
  readonly #notices = new Map<string, number>();

  /** The world of a relay has the name of its game. */
  constructor(protocol: string) {
    this.#labels = { protocol, world: protocol };
  }

  count(event: RelayEvent): void {
    switch (event.event) {
      case "open":
        this.#opened += 1;
        break;
      case "message":
        this.#messages[event.direction] += 1;
        break;
      case "unreadable":
        this.#unreadable[event.direction] += 1;
        break;
      case "verdict":
        this.#verdicts.add({ ...this.#labels, rule: event.verdict.rule, kind: event.verdict.kind });
        break;
      case "policy":
        this.#policies.add({ ...this.#labels, rule: event.rule, action: event.action });
        break;
      case "notice":
        this.#notices.set(event.notice, event.total);
        break;
      default:
    }
  }

  addTo(metrics: Metrics, { connections, mapsUsed, lostRecords }: RelayMetricsSources): void {
    const labels = this.#labels;
    const bySender = (counts: Readonly<Record<Side, number>>): readonly Sample[] =>
      Object.entries(counts).map(([direction, value]) => ({ labels: { ...labels, direction }, value }));
    const one = (value: number | undefined) => (value === undefined ? [] : [{ labels, value }]);
    metrics.gauge("wirewalk_relay_connections", "Open connections between a client and the server.", () =>
      one(connections()),
    );
    metrics.counter("wirewalk_relay_opened_total", "Connections that were opened.", () => one(this.#opened));
    metrics.counter("wirewalk_relay_messages_total", "Messages that passed and were read.", () =>
      bySender(this.#messages),
    );
    metrics.counter("wirewalk_relay_unreadable_total", "Payloads that passed and could not be read.", () =>
      bySender(this.#unreadable),
    );
    metrics.counter("wirewalk_verdicts_total", "Verdicts of the world's rules about clients.", () =>
      this.#verdicts.samples(),
    );
    metrics.counter("wirewalk_policy_actions_total", "What policies did: messages held back, limits reached.", () =>
      this.#policies.samples(),
    );
    metrics.counter("wirewalk_server_notices_total", "What the server has sent that the given maps do not allow.", () =>
      Array.from(this.#notices, ([notice, value]) => ({ labels: { ...labels, notice }, value })),
    );
    metrics.gauge("wirewalk_maps_used", "Places of its maps that the world has used.", () => one(mapsUsed()));
    metrics.counter("wirewalk_recording_lost_total", "Records that are in no file.", () => one(lostRecords()));
  }
}
