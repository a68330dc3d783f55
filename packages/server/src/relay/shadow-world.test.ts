import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import type { Verdict } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import { collisionMapsOf, Region } from "wirewalk/osrs/maps";
import { PlayerInfoEngine } from "wirewalk/osrs/player-info";
import type { Gap, PlayableProtocol, ServerNotice, WorldOptions } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { type JsonObject, parseHex } from "wirewalk/wire";
import { ShadowWorld } from "./shadow-world.ts";

/** A captured path of a player, with fieldKey 1. */
const [captured] = JSON.parse(
  readFileSync(new URL("../../../../vectors/maplestory-v62.json", import.meta.url), "utf8"),
) as readonly { readonly hex: string }[];

/** A world of a game without demo places, in which player 1 is connected. */
function shadowOf(
  protocol: PlayableProtocol,
  dialect: string,
  demo = false,
): { shadow: ShadowWorld; verdicts: Verdict[]; unseen: Gap[]; notices: ServerNotice[] } {
  const verdicts: Verdict[] = [];
  const unseen: Gap[] = [];
  const notices: ServerNotice[] = [];
  const shadow = new ShadowWorld({
    protocol,
    dialect,
    seed: 1,
    demo,
    clock: new VirtualClock(),
    events: {
      verdict: (verdict) => verdicts.push(verdict),
      moved: () => {},
      observed: () => {},
      unseen: (_, gap) => unseen.push(gap),
      noticed: (_, notice) => notices.push(notice),
      failed: (error) => {
        throw error;
      },
    },
  });
  shadow.connected(1, "127.0.0.1", 0);
  return { shadow, verdicts, unseen, notices };
}

/** The original server's answer to a login. */
const admitted = (x: number, y: number): JsonObject => {
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);
  const moment = { time: 0, motd: "", day: 1, hour: 0, minute: 0 };
  const state = { points: 0, signature: 0, quest: 0, questStep: 0, trees: 0, built: 0 };
  const things = { emotes: zeros(5), outfits: zeros(9), accessories: zeros(9), items: zeros(9), tools: zeros(9) };
  const body = { name: "ann", body: 1, accessory1: 0, accessory2: 0 };
  return {
    message: "login",
    value: { result: "success", playerId: 9, ...moment, ...body, x, y, room: 1, ...state, ...things },
  };
};

test.each([
  [true, []],
  [false, ["teleport"]],
])("Slime Online 2: a player is where the other server puts it: %s", (isWarped, rules) => {
  const codec = slimeOnline2.codec("v0106");
  const { shadow, verdicts } = shadowOf(slimeOnline2 as PlayableProtocol, "v0106");
  const send = (json: JsonObject, nowMs: number): void => {
    const message = codec.fromJson("client", json);
    shadow.receive(1, message, codec.write("client", message), nowMs);
    shadow.tick(nowMs);
  };
  const move = (direction: string, code: number, x: number, nowMs: number): void =>
    send({ message: "movePlayer", value: { direction, code, x, y: 300 } }, nowMs);
  send({ message: "login", value: { version: "0.106", user: "ann", password: "x", mac: "" } }, 1);
  shadow.observe(1, codec.fromJson("server", admitted(500, 300)), new Uint8Array(), 2);
  move("rightPress", 2, 500, 1000);
  if (isWarped) {
    const command = { message: "warp", value: { kind: "command", room: 7, x: 4000, y: 300 } };
    shadow.observe(1, codec.fromJson("server", command), new Uint8Array(), 1010);
    expect(shadow.roomOf(1)).toBe("7");
  }
  move("leftPress", 1, 4000, 1040);
  expect(verdicts.map(({ rule }) => rule).filter((rule) => rule === "teleport")).toEqual(rules);
});

test("MapleStory: the map and its fieldKey are what the other server sent", () => {
  const codec = mapleStory.codec("v62");
  const { shadow, verdicts } = shadowOf(mapleStory as PlayableProtocol, "v62");
  const move = codec.toJson("client", codec.read("client", parseHex(captured?.hex ?? "")));
  const send = (json: JsonObject, nowMs: number): void => {
    const message = codec.fromJson("client", json);
    shadow.receive(1, message, codec.write("client", message), nowMs);
  };
  send({ message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } }, 1);
  const target = { content: "map", notices: 0, mapId: 100_000_000, spawnPoint: 0, hp: 50, chase: 0, time: "0" };
  shadow.observe(
    1,
    codec.fromJson("server", { message: "changeMap", value: { channel: 0, fieldKey: 77, target } }),
    new Uint8Array(),
    2,
  );
  const withKey = (fieldKey: number): JsonObject =>
    ({ ...move, value: { ...(move.value as JsonObject), fieldKey } }) as JsonObject;
  send(withKey(77), 600);
  expect(verdicts.map(({ rule }) => rule)).not.toContain("field-key");
  expect(shadow.rooms().get("100000000")).toBe(1);
  send(withKey(5), 1200);
  expect(verdicts.map(({ rule }) => rule)).toContain("field-key");
});

test("a player is in the room that its WebSocket requests, with the account of a server", () => {
  const { shadow } = shadowOf(slimeOnline2 as PlayableProtocol, "documented");
  expect([shadow.nameOf(1), [...shadow.rooms()]]).toEqual(["connection 1", [["1", 1]]]);
  shadow.requested(1, { room: "2", account: "ann" }, 10);
  expect([shadow.nameOf(1), [...shadow.rooms()]]).toEqual(["ann", [["2", 1]]]);
  shadow.requested(1, {}, 20);
  expect(shadow.roomOf(1)).toBe("2");
  shadow.left(1, 30);
  shadow.connected(1, "127.0.0.1", 40);
  expect(shadow.roomOf(1)).toBe("1");
});

test("what the server itself sends that the maps do not allow is a notice, and no verdict", () => {
  // Nobody may step anywhere in the region.
  const maps = collisionMapsOf("closed", [new Region(50, 50, new Uint8Array())]);
  const game = { ...osrs, createWorld: (options: WorldOptions) => osrs.createWorld({ ...options, maps }) };
  const { shadow, verdicts, unseen, notices } = shadowOf(game as unknown as PlayableProtocol, "client");
  const engine = new PlayerInfoEngine({ dialect: "client" });
  engine.add(5, { level: 0, x: 3210, z: 3210 });
  const send = (message: string, value: object, nowMs: number): void =>
    shadow.observe(1, { message, value }, new Uint8Array(1), nowMs);
  send("playerIndex", { index: 5 }, 0);
  send("playerInfoInit", { bytes: engine.observe(5) }, 0);
  engine.move(5, 3211, 3210);
  engine.tick();
  send("playerInfo", { bytes: engine.packet(5) }, 600);
  const reason = "player 5 goes from 3210, 3210 to 3211, 3210 on level 0: no way in the given map";
  expect(notices).toMatchObject([{ notice: "wall-step", reason, total: 1, tick: 1 }]);
  expect([verdicts, unseen, shadow.feedCounts.verdicts]).toEqual([[], [], 0]);
});
