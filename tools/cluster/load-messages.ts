/** What a measurement and its processes of clients say to each other. */

export interface LoadPlan {
  /** By name: the port of each gateway's WebSockets. */
  readonly gateways: Readonly<Record<string, number>>;
  /** Bots of each game. */
  readonly bots: Readonly<Record<string, number>>;
  /** Clients of Slime Online 2 that write and read bytes of their own. */
  readonly raw: number;
  /** Each presses a key so often, in milliseconds. */
  readonly stepMs: number;
  /** Number of the first client: no two processes share numbers. */
  readonly first: number;
  readonly seed: number;
}

export type LoadRequest = { readonly ask: "reset" } | { readonly ask: "report" } | { readonly ask: "stop" };

export interface LoadReport {
  readonly clients: number;
  readonly connected: number;
  /** Connections that ended, and were opened again elsewhere. */
  readonly moved: number;
  /** Clients whose connection ended and that did not come back. */
  readonly lost: number;
  /** The longest time without a message since the reset, of each client whose connection stayed, by game. */
  readonly pausesMs: Readonly<Record<string, readonly number[]>>;
  /** Messages of all clients over their present connections. */
  readonly sent: number;
  /** From the end of a connection to the first message of the next. */
  readonly movesMs: readonly number[];
  /** Keys of the raw clients that others have received, and those that came twice, or never. */
  readonly keys: number;
  readonly missing: number;
  readonly repeated: number;
  readonly reasons: Readonly<Record<string, number>>;
}
