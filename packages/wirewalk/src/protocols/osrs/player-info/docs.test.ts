import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as playerInfo from "./index.ts";

const text = readFileSync(new URL("../../../../../../docs/osrs-player-info.md", import.meta.url), "utf8");
const fenced = (language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block]) =>
    name === language ? [`${block}`] : [],
  );

test("the documentation's revision is valid, and its blocks are read", () => {
  const [json = ""] = fenced("json");
  const revision = playerInfo.parseMaskRevision(JSON.parse(json));
  const engine = new playerInfo.PlayerInfoEngine({ dialect: "client", revision });
  const decoder = new playerInfo.PlayerInfoDecoder({ dialect: "client", revision });
  engine.add(5, { level: 0, x: 3200, z: 3201 });
  decoder.init(engine.observe(5), 5);
  engine.setBlock(5, "moveSpeed", { speed: 2 });
  engine.setBlock(5, "say", { text: "Hi" });
  engine.setBlock(5, "appearance", { data: Uint8Array.of(1, 2) });
  engine.tick();
  decoder.decode(engine.packet(5));
  expect(decoder.player(5)).toMatchObject({ speed: 2, appearance: Uint8Array.of(1, 2) });
});
