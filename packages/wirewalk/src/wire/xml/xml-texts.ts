/** Short texts of an XML file: the same names and numbers come again and again. */
import { decodeUtf8 } from "../utf8.ts";

/** A real map has 60 names, and some hundred numbers most of the time. */
const SLOTS = 512;
const MAX_KEPT_BYTES = 24;

/** Texts by their bytes. A text takes the place of another one: there are never more than the slots. */
export class XmlTexts {
  readonly #texts: (string | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #bytes = new Uint8Array(SLOTS * MAX_KEPT_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);

  /** The text of the first bytes. */
  of(bytes: Uint8Array, length: number): string {
    if (length > MAX_KEPT_BYTES) return decodeUtf8(bytes, 0, length);
    let hash = length;
    for (let at = 0; at < length; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 9)) & (SLOTS - 1);
    const known = this.#texts[slot];
    if (known !== undefined && this.#isAt(slot, bytes, length)) return known;
    const text = decodeUtf8(bytes, 0, length);
    this.#texts[slot] = text;
    this.#lengths[slot] = length;
    for (let at = 0; at < length; at++) this.#bytes[slot * MAX_KEPT_BYTES + at] = bytes[at] as number;
    return text;
  }

  #isAt(slot: number, bytes: Uint8Array, length: number): boolean {
    if (this.#lengths[slot] !== length) return false;
    const kept = this.#bytes;
    const start = slot * MAX_KEPT_BYTES;
    for (let at = 0; at < length; at++) if (kept[start + at] !== bytes[at]) return false;
    return true;
  }
}
