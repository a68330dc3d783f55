/** What is pointed at in a packet: bits, the field that they belong to, the node of the tree. One for all views of the packet. */
import { batch, type Signal, signal } from "@preact/signals";
import { type FieldTree, type FlagsOf, fieldOfBits, fieldTree, holdersOf, shownNodes } from "../model/field-tree.ts";
import type { TracedPart } from "../model/inspectable.ts";

/** Bits `from` to `to`, not included. */
export interface BitRange {
  readonly from: number;
  readonly to: number;
}

/** Trees with more nodes begin closed: the outermost are shown. */
const MAX_OPEN_NODES = 400;

export class PartSelection {
  readonly part: TracedPart;
  readonly tree: FieldTree;
  /** The field of each bit; -1: none. */
  readonly owner: Int32Array;
  /** The chosen bits. */
  readonly range: Signal<BitRange | undefined> = signal(undefined);
  /** The bits under the pointer. */
  readonly pointed: Signal<BitRange | undefined> = signal(undefined);
  /** The bit of the cursor in hex and bits. */
  readonly cursor: Signal<number> = signal(0);
  /** The node of the cursor in the tree; -1: none. */
  readonly node: Signal<number> = signal(-1);
  /** Nodes of the tree that hide what they hold. */
  readonly closed: Signal<ReadonlySet<number>>;

  constructor(part: TracedPart, flagsOf?: FlagsOf) {
    this.part = part;
    this.tree = fieldTree(part.fields, flagsOf);
    this.owner = fieldOfBits(part.fields, part.bytes.length);
    const isLarge = this.tree.nodes.length > MAX_OPEN_NODES;
    // Fields say which of their bits are set: the bits are shown when they are asked for.
    const holders = this.tree.nodes.filter(({ children, field }) => children.length > 0 && (isLarge || field >= 0));
    this.closed = signal(new Set(holders.map(({ id }) => id)));
  }

  get bits(): number {
    return this.part.bytes.length * 8;
  }

  /** Chooses a bit, and with it the field that it belongs to. */
  chooseBit(bit: number): void {
    const at = Math.min(Math.max(0, bit), Math.max(0, this.bits - 1));
    batch(() => {
      this.cursor.value = at;
      const field = this.owner[at] ?? -1;
      const node = this.tree.nodeOfBit.get(at) ?? this.tree.nodeOfField[field] ?? -1;
      this.node.value = node;
      this.#openTo(node);
      this.range.value = this.rangeAt(at);
    });
  }

  /** Chooses a node of the tree: a field, or all fields that it holds. */
  chooseNode(id: number): void {
    const node = this.tree.nodes[id];
    if (node === undefined) return;
    batch(() => {
      this.node.value = id;
      this.range.value = { from: node.from, to: node.to };
      this.cursor.value = Math.min(node.from, Math.max(0, this.bits - 1));
    });
  }

  pointAtBit(bit: number): void {
    this.pointed.value = this.rangeAt(bit);
  }

  pointAtNode(id: number): void {
    const node = this.tree.nodes[id];
    this.pointed.value = node === undefined ? undefined : { from: node.from, to: node.to };
  }

  pointNowhere(): void {
    this.pointed.value = undefined;
  }

  /** A bit with a name, or the bits of the field that it belongs to; of one without a field, its byte. */
  rangeAt(bit: number): BitRange {
    if (this.tree.nodeOfBit.has(bit)) return { from: bit, to: bit + 1 };
    const field = this.part.fields[this.owner[bit] ?? -1];
    if (field === undefined) return { from: bit - (bit % 8), to: bit - (bit % 8) + 8 };
    return { from: field.bitOffset, to: field.bitOffset + field.bitLength };
  }

  toggle(id: number): void {
    const closed = new Set(this.closed.peek());
    if (!closed.delete(id)) closed.add(id);
    this.closed.value = closed;
  }

  isSet(bit: number): boolean {
    return (((this.part.bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
  }

  shown(): readonly number[] {
    return shownNodes(this.tree, this.closed.value);
  }

  #openTo(node: number): void {
    const closed = new Set(this.closed.peek());
    let changes = false;
    for (const holder of holdersOf(this.tree, node)) changes = closed.delete(holder) || changes;
    if (changes) this.closed.value = closed;
  }
}
