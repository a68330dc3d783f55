/**
 * **Placement**: which node owns which world. For each world a hash names a few of all nodes as its candidates; of these the one
 * with the least load takes it. So every node watches only a few worlds of a large cluster, all nodes come to the same answer from what
 * members say of themselves, and a node that joins changes only the worlds whose candidate it is.
 *
 * Answers may differ for a moment, as what members know of each other does: the lease decides.
 */

/** Nodes that watch one world. Four choices level load as well as many do. */
export const CANDIDATES = 4;
/** The load of a world that does nothing, as a share of one core: worlds count even when nobody plays. */
export const LEAST_COST = 0.01;
/** A move pays when it takes away more than this multiple of the world's own cost from the difference of two nodes. */
const WORTH = 1.5;

export interface PlacementNode {
  readonly name: string;
  /** Sum of the costs of its worlds: shares of one core. */
  readonly load: number;
}

export interface Move {
  readonly world: string;
  readonly to: string;
}

/** The candidates of a world, the one first that should take it. */
export function candidatesOf<N extends PlacementNode>(world: string, nodes: readonly N[]): readonly N[] {
  const best: { readonly node: N; readonly score: number }[] = [];
  for (const node of nodes) {
    const score = scoreOf(world, node.name);
    const last = best.at(-1);
    if (best.length === CANDIDATES && last !== undefined && last.score >= score) continue;
    const place = best.findIndex((other) => other.score < score);
    best.splice(place < 0 ? best.length : place, 0, { node, score });
    if (best.length > CANDIDATES) best.pop();
  }
  return best.sort((a, b) => a.node.load - b.node.load || b.score - a.score).map(({ node }) => node);
}

/** The world that a node should hand over, and to which other node; undefined when its load is as level as moves can make it. */
export function moveFrom(
  from: PlacementNode,
  costs: ReadonlyMap<string, number>,
  nodes: readonly PlacementNode[],
): Move | undefined {
  let best: Move | undefined;
  let bestCost = 0;
  for (const [world, cost] of costs) {
    if (cost <= bestCost) continue;
    const to = candidatesOf(world, nodes).find(({ name }) => name !== from.name);
    if (to === undefined || from.load - to.load <= cost * WORTH) continue;
    best = { world, to: to.name };
    bestCost = cost;
  }
  return best;
}

/** FNV-1a of both names, mixed as MurmurHash3 ends. */
function scoreOf(world: string, node: string): number {
  const text = `${world}\n${node}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
