/** Messages in the wire list: their fields are bytes of a block, so the list says what they mean. */
import type { PlayerMovement, ScrapClientMessage, ScrapServerMessage, UnreliableUpdate } from "wirewalk/scrap-mechanic";
import { keysWords, pitchWords } from "./figure.ts";

export function messageWords(message: ScrapClientMessage | ScrapServerMessage): string {
  switch (message.message) {
    case "playerMovement":
      return `playerMovement ${movementWords(message.value)}`;
    case "unreliableUpdate":
      return `unreliableUpdate ${updateWords(message.value)}`;
    case "hello":
      return `hello version ${message.value.version}`;
    case "use":
      return "use: sit down or stand up";
    case "playing":
      return `playing as ${message.value.character} from tick ${message.value.tick}`;
    case "left":
      return `left ${message.value.character}`;
  }
}

function movementWords({ tick, keys, direction, yaw, pitch }: PlayerMovement): string {
  const words = keysWords(keys, direction);
  return [
    `tick ${tick}`,
    words === "" ? "stands" : words,
    `yaw ${Math.round((yaw * 360) / 256)}°`,
    pitchWords(pitch),
  ].join(", ");
}

function updateWords({ serverTick, currentTick, updates }: UnreliableUpdate): string {
  return `server tick ${serverTick}, your tick ${currentTick}, updates × ${updates.length}`;
}
