/** What the processes of the benchmark of the relay say to each other. */

/** Messages a second, of each side. */
export const RATE = 10_000;

/** What a server, or a client of the server at `port`, is started with. */
export interface EndTask {
  readonly side: "client" | "server";
}

export interface ServerReady {
  readonly port: number;
}

/** Play one round: the client at this port, the server with the connection that comes next. */
export interface Round {
  readonly port: number;
  readonly measureMs: number;
}

/** Moments of the system's monotonic clock, which all processes share, in microseconds. */
export interface RoundTimes {
  readonly sentUs: readonly number[];
  readonly receivedUs: readonly number[];
}
