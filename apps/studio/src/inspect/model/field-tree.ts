/** The fields of a trace as a tree by their paths: `fragments[3].x` stands under `fragments`, `[3]`, and a named bit under its field. Pure. */
import type { TraceField } from "wirewalk/wire";

export interface FieldNode {
  /** Its place in {@link FieldTree.nodes}. */
  readonly id: number;
  /** The last step of the path: `x`, `[3]`. */
  readonly name: string;
  readonly path: string;
  /** 1 for the outermost. */
  readonly depth: number;
  /** -1: none. */
  readonly parent: number;
  readonly children: readonly number[];
  /** The field of the trace that stands here, or that the bit is of; -1 for what only holds others. */
  readonly field: number;
  /** True for a bit with a name. */
  readonly isFlag: boolean;
  /** The bits of the field, or of all that it holds. */
  readonly from: number;
  readonly to: number;
}

export interface FieldTree {
  readonly nodes: readonly FieldNode[];
  /** The outermost nodes. */
  readonly roots: readonly number[];
  /** The node of each field of the trace. */
  readonly nodeOfField: readonly number[];
  /** The nodes of bits with names, by their place. */
  readonly nodeOfBit: ReadonlyMap<number, number>;
}

/** Bits of a field with names. */
export type FlagsOf = (field: TraceField) => NonNullable<TraceField["flags"]>;

type OpenNode = { -readonly [K in keyof FieldNode]: FieldNode[K] } & { children: number[] };

/** `fragments[3].x` as `fragments`, `[3]`, `x`. */
export function stepsOf(path: string): readonly string[] {
  return path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [path];
}

export function fieldTree(fields: readonly TraceField[], flagsOf: FlagsOf = ({ flags = [] }) => flags): FieldTree {
  const nodes: OpenNode[] = [];
  const roots: number[] = [];
  const byPath = new Map<string, OpenNode>();
  const nodeOfField: number[] = [];
  const nodeOfBit = new Map<number, number>();
  const open = (path: string, name: string, parent: OpenNode | undefined): OpenNode => {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const node: OpenNode = {
      id: nodes.length,
      name,
      path,
      depth: (parent?.depth ?? 0) + 1,
      parent: parent?.id ?? -1,
      children: [],
      field: -1,
      isFlag: false,
      from: Number.POSITIVE_INFINITY,
      to: 0,
    };
    nodes.push(node);
    byPath.set(path, node);
    (parent?.children ?? roots).push(node.id);
    return node;
  };
  for (const [index, field] of fields.entries()) {
    const { path, bitOffset, bitLength } = field;
    const steps = stepsOf(path);
    let at = "";
    let parent: OpenNode | undefined;
    for (const [depth, step] of steps.entries()) {
      at = at === "" || step.startsWith("[") ? at + step : `${at}.${step}`;
      // Two fields of one path, as the parts of a padding, are two leaves.
      const isTaken = depth === steps.length - 1 && (byPath.get(at)?.field ?? -1) >= 0;
      const node = open(isTaken ? `${at} ${index}` : at, step, parent);
      node.from = Math.min(node.from, bitOffset);
      node.to = Math.max(node.to, bitOffset + bitLength);
      parent = node;
    }
    if (parent !== undefined) parent.field = index;
    nodeOfField.push(parent?.id ?? -1);
    for (const flag of flagsOf(field)) {
      const node = open(`${at}.${flag.name}`, flag.name, parent);
      Object.assign(node, { field: index, isFlag: true, from: flag.bitOffset, to: flag.bitOffset + 1 });
      nodeOfBit.set(flag.bitOffset, node.id);
    }
  }
  return { nodes, roots, nodeOfField, nodeOfBit };
}

/** The nodes that are shown while `closed` ones hide what they hold, in order. */
export function shownNodes(tree: FieldTree, closed: ReadonlySet<number>): readonly number[] {
  const shown: number[] = [];
  const add = (ids: readonly number[]): void => {
    for (const id of ids) {
      shown.push(id);
      if (!closed.has(id)) add(tree.nodes[id]?.children ?? []);
    }
  };
  add(tree.roots);
  return shown;
}

/** The nodes that hold a node, the outermost last. */
export function holdersOf(tree: FieldTree, id: number): readonly number[] {
  const holders: number[] = [];
  for (let at = tree.nodes[id]?.parent ?? -1; at >= 0; at = tree.nodes[at]?.parent ?? -1) holders.push(at);
  return holders;
}

/** The field of each bit; -1: none. */
export function fieldOfBits(fields: readonly TraceField[], byteLength: number): Int32Array {
  const owner = new Int32Array(byteLength * 8).fill(-1);
  for (const [index, { bitOffset, bitLength }] of fields.entries()) {
    owner.fill(index, bitOffset, bitOffset + bitLength);
  }
  return owner;
}
