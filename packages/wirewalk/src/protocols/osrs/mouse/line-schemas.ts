/** The lines of mouse packets as JSON Schemas: what `PacketJson` gives. */
import type { JsonObject } from "../../../wire/index.ts";
import { mouseRules } from "./wire/dialect.ts";

const suspicion: JsonObject = { enum: ["possible", "certain"] };
const place: JsonObject = { anyOf: [{ type: "integer" }, { type: "null" }] };

/** A record: offsets, or with `isPlace` the place itself. */
function recordSchema(forms: readonly string[], isPlace: boolean, buttons: boolean): JsonObject {
  const offsets: JsonObject = isPlace
    ? {}
    : {
        dx: { description: "offset from the record before, in px", type: "integer", minimum: -32_768, maximum: 65_535 },
        dy: { description: "offset from the record before, in px", type: "integer", minimum: -32_768, maximum: 65_535 },
      };
  return {
    type: "object",
    properties: {
      form: { enum: forms },
      dt: { description: "cycles of 20 ms since the record before", type: "integer", minimum: 0, maximum: 8191 },
      ...offsets,
      x: { description: "in px from the left edge; null where it is not known, -1 outside", ...place },
      y: { description: "in px from the upper edge; null where it is not known, -1 outside", ...place },
      known: { description: "whether the records before tell the place", type: "boolean" },
      outside: { description: "the mouse was outside of the window", type: "boolean", enum: [true] },
      ...(buttons
        ? { button: { description: "the last mouse button", type: "integer", minimum: 0, maximum: 255 } }
        : {}),
      atMs: { description: "time since the first packet of the session", type: "integer" },
      first: { description: "the first record of the client's process", type: "boolean", enum: [true] },
      pause: { description: "whether time is missing that the wire does not show", ...suspicion },
      drift: { description: "whether the place may be off since", ...suspicion },
    },
    required: ["form", "dt", ...Object.keys(offsets), "x", "y", "known", ...(buttons ? ["button"] : []), "atMs"],
    additionalProperties: false,
  };
}

/** By name: the packets of the dialect, and the other messages of a client in frames of a revision with a table. */
export function mouseLineSchemas(dialect: string): Readonly<Record<string, JsonObject>> {
  const { absolute, buttons, header } = mouseRules(dialect);
  const small = ["small", "medium"];
  const large = ["largeQuick", "full"];
  const isWindow = header === "window";
  const byte: JsonObject = { type: "integer", minimum: isWindow ? 0 : -128, maximum: isWindow ? 255 : 127 };
  const span = isWindow ? "timeWindow" : "spanMs";
  const value: JsonObject = {
    type: "object",
    properties: {
      header: {
        description: "average and excess, as they stand on the wire",
        type: "array",
        items: byte,
        minItems: 2,
        maxItems: 2,
      },
      [span]: { description: "what the packet says of its own duration", type: "integer" },
      records: {
        type: "array",
        items: absolute
          ? { oneOf: [recordSchema(small, false, buttons), recordSchema(large, true, buttons)] }
          : recordSchema([...small, ...large], false, buttons),
        maxItems: 126,
      },
      cut: {
        description: "bytes at the end that are no record",
        type: "string",
        contentEncoding: "base16",
        pattern: "^(?:[0-9a-f]{2})+$",
      },
    },
    required: ["header", span, "records"],
    additionalProperties: false,
  };
  return {
    MousePacket: { type: "object", properties: { value }, required: ["value"], additionalProperties: false },
    FramedOther: {
      type: "object",
      properties: { message: { type: "string" }, value: { type: "object" } },
      required: ["message", "value"],
      additionalProperties: false,
    },
  };
}
