import { expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import { type JsonObject, parseHex } from "wirewalk/wire";
import { mouseEffect } from "./effect.ts";

/** A packet of `vectors/`: from a known place on, seven records further. */
const STROKE = "0404ffff019c02d3291e299c3ad82a1c2a5a299f289e";

const packet = {
  part: "mouse",
  dialect: "client",
  sender: "client",
  message: "mouseMove",
  before: undefined,
} as const;

test("a stroke is drawn from its place on, be it read alone or in a stream", () => {
  const codec = osrs.codec("client");
  const message = codec.read("client", parseHex(`22${STROKE}`));
  const effect = mouseEffect({ ...packet, json: codec.toJson("client", message) });
  // Lengths of the seven distances added up: 4,-2 6,-4 11,-8 8,-4 9,-6 6,-1 2,-2; times: 15 steps of 20 ms.
  expect(effect?.words).toBe("The pointer moves 54 px from 723, 412 to 769, 385 in 300 ms, by 8 records.");
});

test("a packet of distances alone has no place, and says so", () => {
  const json: JsonObject = {
    message: "mouseMove",
    value: {
      records: [
        { form: "small", dt: 2, x: 3, y: 4 },
        { form: "small", dt: 2, x: 6, y: 8 },
      ],
    },
  };
  const effect = mouseEffect({ ...packet, json });
  expect(effect?.words).toBe("The pointer moves 10 px in 40 ms, by 2 records.");
  expect(effect?.ground).toContain("only distances");
});
