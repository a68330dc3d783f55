/**
 * How the bytes of messages stand on the wire in each revision: the fields in their order, each with its byte order.
 *
 * Two bytes are `BE`, `LE`, and with `+` the low one carries v + 128; one byte is `plain`, `+128`, `neg` (-v) or `sub` (128 - v).
 *
 * Source: decoders of blurite/rsprox (223 to 239, 241) and of blurite/rsprot (223 to 240), which agree. No public source has the native
 * click of 232 to 237.
 */
import { type IntegerOptions, integer, type Layout, type Meaning, withMeaning } from "../../../wire/index.ts";

/** Of one revision. Absent: the revision does not have the message, or nobody has published its order. */
export interface RevisionOrders {
  /** REBUILD_NORMAL up to 236, and _V1: behind the initialisation and before the keys. */
  readonly rebuildV1?: string;
  /** REBUILD_NORMAL_V2: behind the initialisation. */
  readonly rebuildV2?: string;
  /** MOVE_GAMECLICK, and the first 5 bytes of MOVE_MINIMAPCLICK. */
  readonly moveClick?: string;
  readonly mouseClickV2?: string;
  readonly nativeClick?: string;
}

const orders: Readonly<Record<number, RevisionOrders>> = {
  223: {
    rebuildV1: "worldArea BE+ zoneX BE+ zoneZ LE",
    moveClick: "z LE keys plain x BE+",
    nativeClick: "y LE x LE code sub sinceLast LE+",
  },
  224: {
    rebuildV1: "zoneZ LE worldArea LE+ zoneX BE+",
    moveClick: "keys plain z LE x BE",
    nativeClick: "y BE x BE sinceLast LE code plain",
  },
  225: {
    rebuildV1: "zoneX BE worldArea LE+ zoneZ LE",
    moveClick: "z BE keys sub x LE+",
    nativeClick: "x BE y BE code +128 sinceLast LE+",
  },
  226: {
    rebuildV1: "worldArea BE+ zoneX BE+ zoneZ BE",
    moveClick: "keys +128 x LE+ z BE+",
    nativeClick: "x LE y LE code +128 sinceLast BE",
  },
  227: {
    rebuildV1: "worldArea LE zoneX LE zoneZ BE+",
    moveClick: "z BE+ x LE+ keys plain",
    nativeClick: "x BE y BE sinceLast BE code neg",
  },
  228: {
    rebuildV1: "zoneZ LE zoneX BE worldArea LE+",
    moveClick: "keys plain z BE x BE+",
    nativeClick: "code +128 sinceLast BE+ x BE y BE",
  },
  229: {
    rebuildV1: "zoneZ LE+ zoneX LE worldArea LE+",
    moveClick: "keys sub z BE x LE",
    nativeClick: "sinceLast LE+ y BE x BE code +128",
  },
  230: {
    rebuildV1: "worldArea BE zoneX BE+ zoneZ BE",
    moveClick: "x LE+ keys sub z LE+",
    nativeClick: "x BE y BE sinceLast LE+ code plain",
  },
  231: {
    rebuildV1: "worldArea LE+ zoneX LE+ zoneZ BE+",
    moveClick: "keys neg x LE z LE+",
    nativeClick: "sinceLast LE x BE y BE code neg",
  },
  232: {
    rebuildV1: "worldArea LE zoneX LE zoneZ LE+",
    moveClick: "x LE z LE keys plain",
    mouseClickV2: "x LE timeAndButton LE+ code plain y LE+",
  },
  233: {
    rebuildV1: "worldArea BE zoneX BE+ zoneZ BE",
    moveClick: "keys plain x LE+ z LE+",
    mouseClickV2: "x LE+ timeAndButton BE y LE code neg",
  },
  234: {
    rebuildV1: "worldArea LE zoneZ BE zoneX BE",
    moveClick: "z LE+ keys plain x BE+",
    mouseClickV2: "code sub x LE+ timeAndButton LE y LE",
  },
  235: {
    rebuildV1: "zoneX BE zoneZ LE+ worldArea LE+",
    moveClick: "keys sub z LE+ x LE+",
    mouseClickV2: "x BE y BE code +128 timeAndButton BE+",
  },
  236: {
    rebuildV1: "zoneZ BE zoneX LE+ worldArea LE",
    moveClick: "z LE+ x BE keys sub",
    mouseClickV2: "code neg y BE+ x BE+ timeAndButton LE",
  },
  237: {
    rebuildV1: "worldArea LE+ zoneX LE zoneZ BE+",
    rebuildV2: "worldArea BE zoneX LE zoneZ LE",
    moveClick: "keys plain x LE+ z LE",
    mouseClickV2: "y LE code neg timeAndButton LE x BE",
  },
  238: {
    rebuildV2: "zoneZ BE+ zoneX LE worldArea LE+",
    moveClick: "z LE x BE keys neg",
    mouseClickV2: "y BE+ x LE+ code plain timeAndButton BE",
  },
  239: {
    rebuildV2: "worldArea LE zoneZ BE+ zoneX BE+",
    moveClick: "x LE z LE keys sub",
    mouseClickV2: "x BE+ timeAndButton LE+ y BE+ code sub",
  },
  240: {
    rebuildV2: "zoneZ LE+ worldArea LE+ zoneX LE+",
    moveClick: "z LE+ keys neg x LE+",
    mouseClickV2: "code plain y LE+ timeAndButton BE x LE+",
  },
  241: {
    rebuildV2: "zoneZ BE zoneX LE worldArea BE",
    moveClick: "keys +128 z BE+ x BE+",
    mouseClickV2: "y LE+ x LE+ timeAndButton BE+ code neg",
  },
};

/** The orders of a revision; empty for one that is not known. */
export function ordersOf(revision: number): RevisionOrders {
  return orders[revision] ?? {};
}

const shorts: Readonly<Record<string, IntegerOptions>> = {
  BE: { bits: 16 },
  LE: { bits: 16, order: "le" },
  "BE+": { bits: 16, transform: "+128" },
  "LE+": { bits: 16, order: "le", transform: "+128" },
};
const bytes: Readonly<Record<string, IntegerOptions>> = {
  plain: { bits: 8 },
  "+128": { bits: 8, transform: "+128" },
  neg: { bits: 8, transform: "neg" },
  sub: { bits: 8, transform: "sub" },
};

/** The fields of an order: `x LE keys plain`. `meanings` says what each is, and whether it is signed. */
export function fieldsIn(
  order: string,
  meanings: Readonly<Record<string, Meaning & { readonly signed?: true }>>,
): Readonly<Record<string, Layout<number>>> {
  const words = order.split(" ");
  const fields: Record<string, Layout<number>> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [name = "", form = ""] = words.slice(at, at + 2);
    const options = shorts[form] ?? bytes[form];
    const given = meanings[name];
    if (options === undefined || given === undefined) throw new RangeError(`No field ${name} ${form} can be described`);
    const { signed = false, ...meaning } = given;
    fields[name] = withMeaning(integer({ ...options, signed }), meaning);
  }
  return fields;
}
