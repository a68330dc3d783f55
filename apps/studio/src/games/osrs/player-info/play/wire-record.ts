/** Packets of the followed client for the page's wire log. They are read here, with the client's memory. */
import type { ServedWorld } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import { osrs } from "wirewalk/osrs";
import type { PayloadTrace } from "wirewalk/protocol";
import { type TraceField, WireError } from "wirewalk/wire";
import type { WireRecord } from "../../../../feed/wire-record.ts";
import { type Actions, actionKinds } from "./actions.ts";
import type { SeenTick, StreamFault } from "./observed-client.ts";

/** `walk × 12, add × 1`; `nothing new` when nothing happened. */
export function actionWords({ counts }: Actions): string {
  const words = actionKinds.flatMap((kind) => (counts[kind] === 0 ? [] : [`${kind} × ${counts[kind]}`]));
  return words.length === 0 ? "nothing new" : words.join(", ");
}

/** Makes records of what a server sends to one player. */
export class RecordMaker {
  readonly #codec;

  /** With the server's opcodes. */
  constructor({ dialect, settings }: ServedWorld) {
    this.#codec = (osrs.capabilities.settings?.configure(settings) ?? osrs).codec(dialect);
  }

  ofTick({ packet, fields, actions, before, after }: SeenTick, player: PlayerId): WireRecord {
    return { ...this.#record(packet, player, actionWords(actions), fields, undefined), before, after };
  }

  /** Undefined when the fault was not in a packet. */
  ofFault({ packet, fields, error }: StreamFault, player: PlayerId): WireRecord | undefined {
    return packet === undefined ? undefined : this.#record(packet, player, error.code, fields, error);
  }

  #record(
    packet: Uint8Array,
    player: PlayerId,
    words: string,
    fields: readonly TraceField[],
    error: WireError | undefined,
  ): WireRecord {
    const message = { message: "playerInfo", value: { bytes: packet } } as const;
    const payload = this.#codec.write("server", message);
    // The opcode stands before the packet.
    const ahead = (payload.length - packet.length) * 8;
    const trace = (): PayloadTrace => ({
      message,
      fields: [
        ...this.#codec.trace("server", payload.subarray(0, payload.length - packet.length)).fields.slice(0, 1),
        ...fields.map((field) => ({ ...field, path: shortPath(field.path), bitOffset: field.bitOffset + ahead })),
      ],
      ...(error === undefined ? {} : { error: within(error, ahead) }),
    });
    return { sender: "server", payload, player, reading: { words: `playerInfo ${words}`, trace } };
  }
}

/** `pass1.player[57].walk` as `pass1[57].walk`: short, and only players have indices. */
function shortPath(path: string): string {
  return path.replace(".player[", "[");
}

/** The same error in a payload in which the packet begins later; its message counts from the packet's begin. */
function within({ code, message, bitOffset, path }: WireError, ahead: number): WireError {
  return new WireError(code, message, bitOffset + ahead, path);
}
