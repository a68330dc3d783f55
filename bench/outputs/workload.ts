/** What the processes of the benchmark of outputs say to each other. */

/** A server or relay: where it tells verdicts, or what is done beside the play. */
export interface Kind {
  readonly name: string;
  readonly is: "server" | "relay";
  /** `none`: nowhere. */
  readonly output: "none" | ReceiverName | "full-file" | "stuck-pipe" | "hanging-database";
  /** Done without a break while it is measured. */
  readonly beside?: "cases" | "dismissals";
}

export type ReceiverName =
  | "fine"
  | "slow"
  | "dead"
  | "silent"
  | "rubbish"
  | "year"
  | "redirects"
  | "endless"
  | "stuck-syslog";

export const kinds: readonly Kind[] = [
  { name: "server, no output", is: "server", output: "none" },
  { name: "server, no output, once more", is: "server", output: "none" },
  { name: "webhook that answers at once", is: "server", output: "fine" },
  { name: "webhook that takes 10 s", is: "server", output: "slow" },
  { name: "webhook that refuses connections", is: "server", output: "dead" },
  { name: "webhook that never answers", is: "server", output: "silent" },
  { name: "webhook: 200 with rubbish", is: "server", output: "rubbish" },
  { name: "webhook: 429, come back in a year", is: "server", output: "year" },
  { name: "webhook: redirects", is: "server", output: "redirects" },
  { name: "webhook: a body without an end", is: "server", output: "endless" },
  { name: "file on a full disk", is: "server", output: "full-file" },
  { name: "pipe whose reader stands still", is: "server", output: "stuck-pipe" },
  { name: "syslog over TCP that reads nothing", is: "server", output: "stuck-syslog" },
  { name: "rows of a PostgreSQL that hangs", is: "server", output: "hanging-database" },
  { name: "cases written without a break", is: "server", output: "none", beside: "cases" },
  { name: "verdicts dismissed without a break", is: "server", output: "none", beside: "dismissals" },
  { name: "relay, no output", is: "relay", output: "none" },
  { name: "relay, webhook that answers at once", is: "relay", output: "fine" },
  { name: "relay, webhook that never answers", is: "relay", output: "silent" },
  { name: "relay, cases written without a break", is: "relay", output: "none", beside: "cases" },
];

export const TOKEN = "token-of-the-benchmark-of-outputs";

/** Of the receivers' process, once it listens. */
export type ReceiverPorts = Readonly<Record<ReceiverName, number>>;

export interface ServersTask {
  readonly is: Kind["is"];
  readonly receivers: ReceiverPorts;
  /** Of relays: the servers behind them, one for each. */
  readonly to: readonly number[];
}

export interface RunningKind {
  readonly name: string;
  readonly port: number;
  readonly http: number;
}

/** What became of the verdicts of one kind. */
export interface Told {
  readonly told: number;
  readonly failed: number;
  readonly dropped: number;
  readonly waiting: number;
}

export interface PlayersTask {
  readonly ports: Readonly<Record<string, number>>;
}

/** Sent to the players' process. */
export interface Round {
  readonly kind: string;
  readonly measureMs: number;
}

export interface RoundTimes {
  /** From an honest player's message to another client, in milliseconds. */
  readonly delaysMs: readonly number[];
  readonly sent: number;
  readonly cheated: number;
}

/** Sent to the receivers' process: what is asked of a server without a break. Undefined: nothing any more. */
export interface Asking {
  readonly http: number;
  readonly beside: Kind["beside"] | undefined;
}

export interface Asked {
  readonly answered: number;
  readonly refused: number;
}
