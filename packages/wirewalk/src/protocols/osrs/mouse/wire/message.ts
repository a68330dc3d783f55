/** The mouse packet as a message of the game. */
import type { MousePacket } from "./packet-description.ts";

/** What a client says of its mouse. Nothing comes back. */
export interface MouseMoveMessage {
  readonly message: "mouseMove";
  readonly value: MousePacket;
}
