/**
 * Mouse packets of one session as JSON, with what the packets before them tell.
 *
 * ```ts
 * const session = new PacketJson("client", false);
 * session.read(parseHex("0000 5860")).records; // => [{ form: "small", dt: 5, dx: 1, dy: 0, x: null, y: null, known: false, atMs: 100 }]
 * ```
 */
import { formatHex, type JsonObject, type JsonValue, WireError } from "../../../wire/index.ts";
import { type MousePoint, MouseTracker } from "./movement/tracker.ts";
import { readMousePacket } from "./wire/packet.ts";
import type { MouseRecord } from "./wire/packet-description.ts";

export class PacketJson {
  readonly #tracker: MouseTracker;
  readonly #strict: boolean;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(dialect: string, strict: boolean) {
    this.#tracker = new MouseTracker({ dialect, strict });
    this.#strict = strict;
  }

  /**
   * `{ header, spanMs, records }`, or with `timeWindow` in `documented`, and `cut` for bytes at the end that are no record.
   * Throws `WireError` as the tracker does.
   */
  read(payload: Uint8Array): JsonObject {
    const { rules } = this.#tracker;
    const { average, excess, records, cut } = readMousePacket(rules.name, payload, { strict: this.#strict });
    const shown: JsonObject[] = [];
    const { spanMs, timeWindow } = this.#tracker.read(payload, (point) =>
      shown.push(this.#recordJson(records[point.index] as MouseRecord, point)),
    );
    return {
      header: [average, excess],
      ...(rules.header === "window" ? { timeWindow } : { spanMs }),
      records: shown,
      ...(cut.length > 0 ? { cut: formatHex(cut, { separator: "" }) } : {}),
    };
  }

  /** A record as it stands on the wire, and what follows from the records before it. */
  #recordJson({ form, dt, x: dx, y: dy, outside, button }: MouseRecord, point: MousePoint): JsonObject {
    const { rules } = this.#tracker;
    const isLarge = form === "largeQuick" || form === "full";
    const isPlace = rules.absolute && isLarge;
    // After a record that was outside in one coordinate, or after lost ones, a place would be a guess.
    const known = point.known && point.drift === "none";
    return {
      form,
      dt,
      ...(isPlace ? {} : { dx, dy }),
      x: known ? point.x : null,
      y: known ? point.y : null,
      known,
      // Large offsets have a mark of their own for it; all others are outside by where they lead.
      ...(outside || (known && point.outside && (isPlace || !isLarge)) ? { outside: true } : {}),
      ...(rules.buttons ? { button } : {}),
      atMs: point.atMs,
      ...(point.first ? { first: true } : {}),
      ...(point.pause === "none" ? {} : { pause: point.pause }),
      ...(point.drift === "none" ? {} : { drift: point.drift }),
    };
  }

  /**
   * Reads a payload that was made of a value, and throws `WireError` where the value says something else. What only the
   * packets before tell (an unknown place, the start of time) may differ: they may not be there.
   */
  check(value: JsonObject, payload: Uint8Array): void {
    const saved = this.#tracker.save();
    const read = this.read(payload);
    const given = value.records as readonly JsonObject[];
    const records = read.records as readonly JsonObject[];
    const startMs = Number(given[0]?.atMs ?? 0) - Number(records[0]?.atMs ?? 0);
    const must = (path: string, is: JsonValue | undefined, wanted: JsonValue | undefined): void => {
      if (is === undefined || is === wanted) return;
      this.#tracker.restore(saved);
      const why = `it must be ${JSON.stringify(wanted ?? null)} or absent: it follows from the records`;
      throw new WireError("bad-value", `Cannot read value.${path}: ${why}`, 0, `value.${path}`);
    };
    if (records.length !== given.length) must("cut", value.cut, read.cut);
    must("spanMs", value.spanMs, read.spanMs);
    must("timeWindow", value.timeWindow, read.timeWindow);
    given.forEach((record, at) => {
      const own = records[at] as JsonObject;
      const path = `records[${at}]`;
      for (const name of ["outside", "first", "pause", "button", "dx", "dy"]) {
        must(`${path}.${name}`, record[name], own[name]);
      }
      const isKnown = own.known === true && record.x !== null;
      if (isKnown) for (const name of ["x", "y"]) must(`${path}.${name}`, record[name], own[name]);
      must(`${path}.atMs`, record.atMs, Number(own.atMs) + startMs);
    });
  }
}
