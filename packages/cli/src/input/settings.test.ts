import { describe, expect, it } from "vitest";
import { protocols as games } from "wirewalk/protocols";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { UsageError } from "../context.ts";
import { parseSettings, settingsOf, settingsOfFile, withSettings } from "./settings.ts";

const protocols = { fake: fakeProtocol };

describe("--set", () => {
  it("changes the protocol that it names, the last value of a setting", () => {
    const settings = parseSettings(protocols, ["fake.opcode=8", "fake.opcode=9"]);
    expect(withSettings(fakeProtocol, settings).title).toBe("Fake with opcode 9");
  });

  it("leaves a protocol alone that nothing was set for", () => {
    expect(withSettings(fakeProtocol, parseSettings(protocols, []))).toBe(fakeProtocol);
  });

  it("refuses a value that the protocol refuses, as wrong usage", () => {
    expect(() => withSettings(fakeProtocol, parseSettings(protocols, ["fake.opcode=256"]))).toThrow(UsageError);
  });

  it.each([
    ["slime-online-2.maxSpeed=3", 3],
    ["slime-online-2.maxSpeed=3px/frame", 3],
    ["slime-online-2.maxSpeed=2.75 px/frame", 2.75],
  ])("reads %s", (pair, value) => {
    const settings = parseSettings(games, [pair]);
    expect(settings.get("slime-online-2")).toEqual({ maxSpeed: value });
  });

  it.each([
    ["slime-online-2.maxSped=3", "unknown setting 'slime-online-2.maxSped'; did you mean slime-online-2.maxSpeed?"],
    ["slime.maxSpeed=3", "unknown setting 'slime.maxSpeed'; did you mean slime-online-2.maxSpeed?"],
    [
      "slime-online-2.gremlins=3",
      "unknown setting 'slime-online-2.gremlins'; `wirewalk rules slime-online-2` lists them",
    ],
    [
      "maplestory.monsterPxPerSecond=9",
      "unknown setting 'maplestory.monsterPxPerSecond': it is honestMonsterPxPerSecond now",
    ],
    ["slime-online-2.maxSpeed", "--set slime-online-2.maxSpeed needs a number: slime-online-2.maxSpeed=…"],
    ["slime-online-2.maxSpeed=fast", "--set slime-online-2.maxSpeed=fast needs a number: slime-online-2.maxSpeed=…"],
    [
      "slime-online-2.maxSpeed=3px/s",
      "--set slime-online-2.maxSpeed=3px/s: slime-online-2.maxSpeed is in px/frame, not in px/s",
    ],
    [
      "slime-online-2.maxSpeed=0",
      "--set slime-online-2.maxSpeed=0: slime-online-2.maxSpeed must be a number from 0.1 to 100 px/frame, got 0",
    ],
    [
      "slime-online-2.maxTeleports=1.5",
      "--set slime-online-2.maxTeleports=1.5: slime-online-2.maxTeleports must be a whole number from 0 to 1000 teleports, got 1.5",
    ],
    ["osrs.mouseOpcode=3ms", "--set osrs.mouseOpcode=3ms: osrs.mouseOpcode has no unit"],
  ])("refuses %s", (pair, sentence) => {
    expect(() => parseSettings(games, [pair])).toThrow(new UsageError(sentence));
  });
});

describe("a file of settings", () => {
  it("has the names of --set, which wins over it", () => {
    const ofFile = settingsOfFile(
      games,
      "r.json",
      '{"slime-online-2.maxSpeed": 3, "scrap-mechanic.maxGain": "0.01 s/s"}',
    );
    const settings = parseSettings(games, ["slime-online-2.maxSpeed=4"], ofFile);
    expect([...settings]).toEqual([
      ["slime-online-2", { maxSpeed: 4 }],
      ["scrap-mechanic", { maxGain: 0.01 }],
    ]);
  });

  it.each([
    ["[]", 'r.json must have an object: {"slime-online-2.maxSpeed": 3}'],
    ["{", /^r\.json is not JSON: /],
    ['{"osrs.minStroke": 3}', "r.json: unknown setting 'osrs.minStroke'; did you mean osrs.minStrokes?"],
    ['{"osrs.minStrokes": null}', "r.json: osrs.minStrokes needs a number: osrs.minStrokes=…"],
  ])("refuses %s", (text, sentence) => {
    expect(() => settingsOfFile(games, "r.json", text)).toThrow(
      typeof sentence === "string" ? new UsageError(sentence) : sentence,
    );
  });
});

describe("the settings of one world", () => {
  const osrs = games.osrs as (typeof games)[string];

  it("have names without the game", () => {
    expect(settingsOf(osrs, { minStrokes: 12, mouseOpcode: "90" })).toEqual({ minStrokes: 12, mouseOpcode: 90 });
  });

  it.each([
    [{ minStroke: 1 }, "unknown setting 'osrs.minStroke'; did you mean osrs.minStrokes?"],
    [{ minStrokes: true }, "osrs.minStrokes needs a number: osrs.minStrokes=…"],
    [
      { playerIndexOpcode: 2, playerInfoInitOpcode: 2 },
      "osrs.playerIndexOpcode and osrs.playerInfoInitOpcode are both 2: a server sends both",
    ],
  ])("%o is refused", (given, sentence) => {
    expect(() => settingsOf(osrs, given)).toThrow(new UsageError(sentence));
  });
});
