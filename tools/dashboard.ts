/**
 * The Grafana dashboard of `docs/deploy/grafana-dashboard.json`, as a list of its panels: `UPDATE_DOCS=1 npx vitest run --project code
 * tools/monitoring.test.ts` writes the file.
 */

interface Panel {
  readonly title: string;
  readonly unit: string;
  /** What the panel says of itself: what to look for. */
  readonly about: string;
  readonly queries: readonly (readonly [expression: string, legend: string])[];
}

const panels: readonly Panel[] = [
  {
    title: "Players",
    unit: "short",
    about: "Players in each world.",
    queries: [["sum by (world) (wirewalk_players)", "{{world}}"]],
  },
  {
    title: "Connections",
    unit: "short",
    about: "All open connections, and those that have sent no valid message: many of these are a scan or an attack.",
    queries: [
      ["wirewalk_connections", "open"],
      ["sum by (listener) (wirewalk_silent_connections)", "silent, {{listener}}"],
      ["wirewalk_waiting_logins", "waiting logins"],
    ],
  },
  {
    title: "Delivery lag",
    unit: "s",
    about:
      "The longest that a message waited for its last recipient. Over 1 s /readyz says that the server is overloaded.",
    queries: [
      ["max by (world) (wirewalk_delivery_lag_seconds)", "{{world}}"],
      ["wirewalk_event_loop_lag_seconds", "event loop"],
    ],
  },
  {
    title: "Messages and payloads refused",
    unit: "ops",
    about: "Payloads received, and those that could not be decoded.",
    queries: [
      ["sum by (world) (rate(wirewalk_messages_in_total[1m]))", "received, {{world}}"],
      ["sum by (world) (rate(wirewalk_refused_payloads_total[1m]))", "refused, {{world}}"],
    ],
  },
  {
    title: "Bytes",
    unit: "Bps",
    about: "As carried, with frames.",
    queries: [
      ["sum by (carrier) (rate(wirewalk_bytes_in_total[1m]))", "in, {{carrier}}"],
      ["sum by (carrier) (rate(wirewalk_bytes_out_total[1m]))", "out, {{carrier}}"],
    ],
  },
  {
    title: "Deliveries and writes",
    unit: "ops",
    about: "Deliveries for each write: how much the flush merges. Dropped messages went to slow readers.",
    queries: [
      ["sum(rate(wirewalk_deliveries_total[1m]))", "deliveries"],
      ["sum(rate(wirewalk_writes_total[1m]))", "writes"],
      ["sum(rate(wirewalk_dropped_total[1m]))", "dropped"],
    ],
  },
  {
    title: "Verdicts",
    unit: "ops",
    about:
      "What the rules found, without benign. A rule that rises for many players at once is a network, not a cheat.",
    queries: [['sum by (world, rule) (rate(wirewalk_verdicts_total{kind!="benign"}[5m]))', "{{world}} {{rule}}"]],
  },
  {
    title: "Ended sessions",
    unit: "ops",
    about: "By reason: docs/errors.md lists the reasons.",
    queries: [["sum by (reason) (rate(wirewalk_disconnects_total[5m]))", "{{reason}}"]],
  },
  {
    title: "Memory",
    unit: "bytes",
    about: "Of the process, and what is held for players.",
    queries: [
      ["process_resident_memory_bytes", "resident"],
      ["nodejs_heap_used_bytes", "objects"],
      ["nodejs_external_memory_bytes", "buffers"],
      ["sum by (world) (wirewalk_held_bytes)", "held for players, {{world}}"],
    ],
  },
  {
    title: "Store and recordings",
    unit: "short",
    about: "1 while bans are in memory alone, 1 while nothing is recorded, and records that are in no file.",
    queries: [
      ["wirewalk_store_failing", "store failing"],
      ["max by (world) (wirewalk_recording_losing)", "not recording, {{world}}"],
      ["sum by (world) (increase(wirewalk_recording_lost_total[5m]))", "records lost in 5 min, {{world}}"],
    ],
  },
];

const WIDTH = 12;
const HEIGHT = 8;

/** The dashboard as Grafana imports it. The data source is chosen at the import. */
export function dashboard(): string {
  const datasource = { type: "prometheus", uid: "$" + "{datasource}" };
  return `${JSON.stringify(
    {
      title: "Wirewalk",
      uid: "wirewalk",
      schemaVersion: 39,
      refresh: "10s",
      time: { from: "now-1h", to: "now" },
      templating: {
        list: [{ name: "datasource", label: "Data source", type: "datasource", query: "prometheus" }],
      },
      panels: panels.map(({ title, unit, about, queries }, index) => ({
        id: index + 1,
        type: "timeseries",
        title,
        description: about,
        datasource,
        gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: queries.map(([expr, legendFormat], at) => ({
          refId: String.fromCharCode(65 + at),
          datasource,
          expr,
          legendFormat,
        })),
      })),
    },
    undefined,
    2,
  )}\n`;
}
