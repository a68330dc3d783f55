/**
 * Images of `.wz` files: properties with values, and objects below them. Each object has its size before it, so what is not wanted is
 * passed over unread.
 */
import type { Point } from "../wire/messages.ts";
import { floatValue, ImageBudget, ImageNode, MAX_DEPTH } from "./image-node.ts";
import type { TreeNode } from "./tree.ts";
import type { WzCursor } from "./wz-cursor.ts";

/** How a text of an image is given. */
const inlineTexts: ReadonlySet<number> = new Set([0x00, 0x73]);
const placedTexts: ReadonlySet<number> = new Set([0x01, 0x1b]);
/** A float that is not 0 follows this byte. */
const FLOAT_FOLLOWS = 0x80;
/** A text of one byte, a type, no value. */
const MIN_PROPERTY_BYTES = 3;
/** A text of one byte. */
const MIN_OBJECT_BYTES = 2;

const types = {
  nothing: 0,
  short: 2,
  int: 3,
  float: 4,
  double: 5,
  text: 8,
  object: 9,
  shortToo: 11,
  unsignedShort: 18,
  intToo: 19,
  long: 20,
} as const;

/** A value and the nodes below it. */
interface Content {
  readonly value?: number | string | Point | undefined;
  readonly children?: readonly TreeNode[];
}

/** The class that the image at the cursor begins with: `Property` where it is one. */
export function imageClass(cursor: WzCursor): string {
  return new ImageReader(cursor).text();
}

/** The image from the cursor to its end. Objects of its root that are not wanted are passed over. */
export function readWzImage(cursor: WzCursor, name: string, wanted?: ReadonlySet<string>): TreeNode {
  const reader = new ImageReader(cursor);
  const type = reader.text();
  if (type !== "Property") throw cursor.fault(`an image that is no "Property"`);
  return new ImageNode(name, undefined, reader.properties(0, wanted));
}

class ImageReader {
  readonly #cursor: WzCursor;
  readonly #start: number;
  readonly #end: number;
  readonly #budget = new ImageBudget();
  /** By their places. */
  readonly #texts = new Map<number, string>();

  constructor(cursor: WzCursor) {
    this.#cursor = cursor;
    this.#start = cursor.at;
    this.#end = cursor.end;
  }

  /** A text here, or one that stands elsewhere in the image. */
  text(): string {
    const cursor = this.#cursor;
    const from = cursor.at;
    const how = cursor.u8();
    if (inlineTexts.has(how)) return this.#textAt(cursor.at);
    if (!placedTexts.has(how)) throw cursor.fault(`a text of unknown form ${how}`, from);
    const place = this.#start + cursor.u32();
    if (place >= this.#end) throw cursor.fault(`a text at ${place}, the image ends at ${this.#end},`, from);
    const kept = this.#texts.get(place);
    if (kept !== undefined) return kept;
    const { at, end } = cursor;
    cursor.end = this.#end;
    const text = this.#textAt(place);
    cursor.at = at;
    cursor.end = end;
    return text;
  }

  #textAt(place: number): string {
    const cursor = this.#cursor;
    cursor.at = place;
    const text = cursor.text();
    this.#take(this.#budget.takeText(text.length), place);
    this.#texts.set(place, text);
    return text;
  }

  /** Throws where something is too much. */
  #take(reason: string | undefined, at: number): void {
    if (reason !== undefined) throw this.#cursor.fault(reason, at);
  }

  properties(depth: number, wanted?: ReadonlySet<string>): readonly TreeNode[] {
    const cursor = this.#cursor;
    // Reserved.
    cursor.skip(2);
    const count = cursor.count("properties", MIN_PROPERTY_BYTES);
    const nodes: TreeNode[] = [];
    for (let index = 0; index < count; index++) {
      this.#take(this.#budget.takeNode(), cursor.at);
      const name = this.text();
      const { value, children } = this.#property(depth, wanted === undefined || wanted.has(name));
      nodes.push(new ImageNode(name, value, children));
    }
    return nodes;
  }

  #property(depth: number, isWanted: boolean): Content {
    const cursor = this.#cursor;
    const at = cursor.at;
    const type = cursor.u8();
    if (type === types.object) return this.#sizedObject(depth, isWanted);
    return { value: this.#value(type, at) };
  }

  #value(type: number, at: number): number | string | undefined {
    const cursor = this.#cursor;
    switch (type) {
      case types.nothing:
        return undefined;
      case types.short:
      case types.shortToo:
      case types.unsignedShort:
        return cursor.i16();
      case types.int:
      case types.intToo:
        return cursor.compressed();
      case types.long:
        return cursor.compressedLong();
      case types.float:
        return cursor.u8() === FLOAT_FOLLOWS ? floatValue(cursor.f32()) : 0;
      case types.double:
        return floatValue(cursor.f64());
      case types.text:
        return this.text();
      default:
        throw cursor.fault(`a value of unknown type ${type}`, at);
    }
  }

  #sizedObject(depth: number, isWanted: boolean): Content {
    const cursor = this.#cursor;
    const at = cursor.at;
    const size = cursor.u32();
    const { end } = cursor;
    const objectEnd = cursor.at + size;
    if (objectEnd > end) throw cursor.fault(`an object of ${size} bytes, ${end - cursor.at} left`, at);
    cursor.end = objectEnd;
    const content = isWanted ? this.#object(depth + 1) : {};
    cursor.at = objectEnd;
    cursor.end = end;
    return content;
  }

  /** An object by its class. What maps have no use for is left where it is. */
  #object(depth: number): Content {
    const cursor = this.#cursor;
    if (depth > MAX_DEPTH) throw cursor.fault(`more than ${MAX_DEPTH} levels of objects`);
    switch (this.text()) {
      case "Property":
        return { children: this.properties(depth) };
      case "Canvas": {
        // Reserved.
        cursor.skip(1);
        return cursor.u8() === 1 ? { children: this.properties(depth) } : {};
      }
      case "Shape2D#Vector2D":
        return { value: { x: cursor.compressed(), y: cursor.compressed() } };
      case "Shape2D#Convex2D":
        return { children: this.#convex(depth) };
      case "UOL":
        // Reserved.
        cursor.skip(1);
        return { value: this.text() };
      default:
        return {};
    }
  }

  #convex(depth: number): readonly TreeNode[] {
    const count = this.#cursor.count("corners", MIN_OBJECT_BYTES);
    const nodes: TreeNode[] = [];
    for (let index = 0; index < count; index++) {
      this.#take(this.#budget.takeNode(), this.#cursor.at);
      const { value, children } = this.#object(depth + 1);
      nodes.push(new ImageNode(String(index), value, children));
    }
    return nodes;
  }
}
