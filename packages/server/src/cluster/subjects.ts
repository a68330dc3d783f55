/** The names that the nodes of a cluster use for one world. */

export interface WorldSubjects {
  /** Calls of gateways, to the owner. */
  readonly input: string;
  /** Batches of the owner, to gateways. */
  readonly output: string;
  /** Requests to the owner: whether it is there, and for batches again. */
  readonly owner: string;
  /** A new owner asks gateways for what they have. */
  readonly taken: string;
  /** What they have. */
  readonly history: string;
  /** The owner has given the world back: another may claim it at once. */
  readonly free: string;
  readonly lease: string;
}

export function worldSubjects(world: string): WorldSubjects {
  return {
    input: `in.${world}`,
    output: `out.${world}`,
    owner: `owner.${world}`,
    taken: `taken.${world}`,
    history: `history.${world}`,
    free: `free.${world}`,
    lease: `world.${world}`,
  };
}

/** Requests to one node. */
export function drainSubject(node: string): string {
  return `drain.${node}`;
}

/** Asks whether a gateway is there. */
export function gatewaySubject(node: string): string {
  return `gateway.${node}`;
}
