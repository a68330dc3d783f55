/** Descriptions made up from bytes: every kind of node, mostly ones that can be. */
import type { LayoutNode } from "wirewalk/wire";
/** Bytes one after another; 0 after the last. */
export declare class Choices {
  #private;
  constructor(bytes: Uint8Array);
  byte(): number;
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  chance(inAll: number): boolean;
}
/** Some description. Some have a meaning beside their bits, and few cannot be. */
export declare function nodeFrom(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode;
//# sourceMappingURL=made-up-nodes.d.ts.map
