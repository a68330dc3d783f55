import { expect, test } from "vitest";
import { keySets, type MovementKeys, type ScrapClientMessage, type ScrapServerMessage } from "wirewalk/scrap-mechanic";
import { messageWords } from "./wire-words.ts";

const movement = (keys: number, pitch: number): ScrapClientMessage => ({
  message: "playerMovement",
  value: { tick: 550, keys: keySets[keys] as MovementKeys, direction: 96, yaw: 21, pitch },
});

test.each<[ScrapClientMessage | ScrapServerMessage, string]>([
  [movement(0, 64), "playerMovement tick 550, stands, yaw 30°, level"],
  [movement(13, 96), "playerMovement tick 550, ↖ sprint jump, yaw 30°, 45° up"],
  [movement(18, 0), "playerMovement tick 550, crawl aim, yaw 30°, 90° down"],
  [{ message: "hello", value: { version: 1 } }, "hello version 1"],
  [{ message: "left", value: { character: 7 } }, "left 7"],
  [
    { message: "playing", value: { character: 7, tick: 12, position: { x: 0, y: 0, z: 0 } } },
    "playing as 7 from tick 12",
  ],
  [
    { message: "unreliableUpdate", value: { serverTick: 9, currentTick: 8, updates: [] } },
    "unreliableUpdate server tick 9, your tick 8, updates × 0",
  ],
])("a message in the list says what it means", (message, words) => {
  expect(messageWords(message)).toBe(words);
});
