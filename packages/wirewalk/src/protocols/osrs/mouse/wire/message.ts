/**
 * The mouse packet as a message of the game: what the game's codec puts into its table.
 *
 * ```ts
 * const message = { message: "mouseMove", value: readMousePacket("client", parseHex("0500 295e")) };
 * const json = mouseMessageToJson(message);
 * json.value.average; // => 5
 * mouseMessageFromJson("client", json); // => message
 * ```
 */
import { type JsonObject, parseHex, withPath } from "../../../../wire/index.ts";
import { messageFromJson, messageToJson } from "../../../message-json.ts";
import { type MousePacket, readMousePacket, writeMousePacket } from "./packet.ts";

/** What a client says of its mouse. Nothing comes back. */
export interface MouseMoveMessage {
  readonly message: "mouseMove";
  readonly value: MousePacket;
}

/** A message as plain JSON; `cut` is hex. */
export function mouseMessageToJson(message: MouseMoveMessage): JsonObject {
  return messageToJson(message);
}

/** The reverse. Throws `WireError` that names the field, `RangeError` for an unknown dialect. */
export function mouseMessageFromJson(dialect: string, json: JsonObject): MouseMoveMessage {
  return messageFromJson(json, {
    checkName(name) {
      if (name !== "mouseMove") throw new RangeError(`Cannot write message: a client sends mouseMove, not ${name}`);
    },
    roundTrip({ value }): MouseMoveMessage {
      const { average, excess, records, cut = "" } = value as MousePacket & { readonly cut: unknown };
      if (!Array.isArray(records)) throw new TypeError("Cannot write records: it must be a list");
      const payload = writeMousePacket(dialect, { average, excess, records, cut: cutFromJson(cut) });
      return { message: "mouseMove", value: readMousePacket(dialect, payload) };
    },
  });
}

function cutFromJson(cut: unknown): Uint8Array {
  if (typeof cut !== "string") throw new TypeError("Cannot write cut: it must be hex");
  try {
    return parseHex(cut);
  } catch (error) {
    throw withPath(error, "cut");
  }
}
