/** Nodes of images that `.nx` and `.wz` readers make, and the bounds of what one image may have. */
import type { Point } from "../wire/messages.ts";
import type { TreeNode } from "./tree.ts";

const noChildren: readonly TreeNode[] = [];

export class ImageNode implements TreeNode {
  readonly name: string;
  readonly value: number | string | Point | undefined;
  readonly children: readonly TreeNode[];

  constructor(name: string, value: TreeNode["value"], children = noChildren) {
    this.name = name;
    this.value = value;
    this.children = children;
  }

  child(name: string): TreeNode | undefined {
    return this.children.find((child) => child.name === name);
  }
}

/** Nodes of one image: the largest real map has 31,000, names of all maps have 60,000. A map of 100,000 takes 60 MB. */
const MAX_NODES = 100_000;
/** Characters of all texts of one image. A real map has 20,000; a few bytes may name one long text again and again. */
const MAX_CHARACTERS = 1 << 22;
/** Levels of nodes. A real image has 12; each takes a few calls of a function. */
export const MAX_DEPTH = 48;
/** Bytes of one text or name: the longest of a map has some hundred. */
export const MAX_TEXT_BYTES = 1 << 15;

/** What is left for one image. A few bytes can describe a large tree, since a part may be named many times. */
export class ImageBudget {
  #nodes = MAX_NODES;
  #characters = MAX_CHARACTERS;

  /** The reason why another node is too many, if it is. */
  takeNode(): string | undefined {
    this.#nodes -= 1;
    return this.#nodes < 0 ? `more than ${MAX_NODES} nodes in one image` : undefined;
  }

  /** The reason why a text is too much, if it is. */
  takeText(characters: number): string | undefined {
    this.#characters -= characters;
    return this.#characters < 0 ? `more than ${MAX_CHARACTERS} characters of text in one image` : undefined;
  }
}

/** Digits of the shortest decimal number that makes each f32. */
const FLOAT_DIGITS = 9;

/**
 * The number that people wrote: an f32 of 0.2 is 0.20000000298 as f64, and an XML dump has 0.2. Undefined for what is no number. Zero has
 * no sign.
 */
export function floatValue(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (Math.fround(value) !== value || Number.isInteger(value)) return value + 0;
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(FLOAT_DIGITS));
}
