/** Engines over lines: what a server in another language sends and receives. */
import { describe, expect, it } from "vitest";
import { createRandom } from "wirewalk/motion";
import { osrs } from "wirewalk/osrs";
import { PlayerInfoDecoder, revision206 } from "wirewalk/osrs/player-info";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseHex } from "wirewalk/wire";
import { expectEqual } from "../../../wirewalk/src/testing/inner-loops.ts";
import { runCommand } from "../testing/run-command.ts";

interface Answer {
  readonly ok: boolean;
  readonly line?: number;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly tick?: number;
  readonly init?: readonly { readonly player: number; readonly hex: string }[];
  readonly packets?: readonly { readonly to: readonly number[]; readonly hex: string }[];
  readonly effects?: readonly Readonly<Record<string, unknown>>[];
}

/** The answers to lines, objects or texts, one each. */
async function answers(args: readonly string[], lines: readonly (object | string)[]): Promise<readonly Answer[]> {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { stdout, stderr, code } = await runCommand(["engine", ...args], input);
  expect(stderr).toBe("");
  const parsed = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
  expect(code).toBe(parsed.every(({ ok }) => ok) ? 0 : 3);
  return parsed;
}

describe("osrs/player-info", () => {
  it("gives initialisations, then packets that a client reads", async () => {
    const random = createRandom(5);
    const indices = Array.from({ length: 30 }, (_, at) => at * 7 + 1);
    const places = new Map(
      indices.map((index) => [index, [3200 + random.integer(0, 20), 3200 + random.integer(0, 20)]]),
    );
    const lines: object[] = [
      { add: indices.map((index) => [index, 0, ...(places.get(index) ?? [])]), observe: indices, tick: true },
    ];
    const world: Map<number, readonly number[]>[] = [new Map(places)];
    for (let tick = 0; tick < 20; tick++) {
      const move = indices.map((index) => {
        const [x = 0, z = 0] = places.get(index) ?? [];
        const next = [x + random.integer(-1, 1), z + random.integer(-1, 1)];
        places.set(index, next);
        return [index, ...next];
      });
      const blocks = tick % 3 === 0 ? [[indices[0], "sequence", { id: 808, delay: 0 }]] : [];
      lines.push({ move, blocks, tick: true });
      world.push(new Map(places));
    }
    const found = await answers(["osrs/player-info", "--revision", "206"], lines);
    expect(found.map(({ tick }) => tick)).toEqual(lines.map((_, at) => at + 1));
    for (const observer of indices) {
      const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
      const init = found[0]?.init?.find(({ player }) => player === observer);
      decoder.init(parseHex(init?.hex ?? ""), observer);
      for (const [tick, { packets = [] }] of found.entries()) {
        const own = packets.filter(({ to }) => to.includes(observer));
        expectEqual(own.length, 1);
        decoder.decode(parseHex(own[0]?.hex ?? ""));
        for (const index of indices) {
          const [x = 0, z = 0] = world[tick]?.get(index) ?? [];
          const [ownX = 0, ownZ = 0] = world[tick]?.get(observer) ?? [];
          if (Math.max(Math.abs(x - ownX), Math.abs(z - ownZ)) > 15) continue;
          const { x: foundX, z: foundZ } = decoder.player(index) ?? {};
          expectEqual([foundX, foundZ], [x, z]);
        }
      }
    }
  });

  it("names line, place and reason of what it refuses, and the others count", async () => {
    const found = await answers(
      ["osrs/player-info", "--revision", "206"],
      [
        {
          add: [
            [5, 0, 3200, 3201],
            [5, 0, 1, 1],
            [0, 0, 1, 1],
            [6, 9, 1, 1],
            [7, 0, 3202],
            [8, 0, 3200, 3202],
          ],
        },
        "",
        "not JSON",
        "[]",
        {
          observe: [5, 9],
          moev: [[5, 1, 1]],
          move: [
            [5, "3200", 3201],
            [9, 1, 1],
          ],
          tick: 1,
        },
        {
          blocks: [
            [5, "sequence", { id: 808 }],
            [5, "dance", {}],
            [5, "sequence", { id: 808, delay: 0, speed: 1 }],
          ],
        },
        { move: [[5, 3201, 3202]], tick: true },
      ],
    );
    const told = found.map(({ line, errors = [] }) => [line, errors.map(({ path }) => path)]);
    expect(told).toEqual([
      [1, ["add[1]", "add[2]", "add[3]", "add[4]"]],
      [3, [""]],
      [4, [""]],
      [5, ["move[0]", "move[1]", "observe[1]", "tick", "moev"]],
      [6, ["blocks[0].delay", "blocks[1]", "blocks[2].speed"]],
      [undefined, []],
    ]);
    expect(found[0]?.errors?.map(({ message }) => message)).toEqual([
      "Slot 5 has a player",
      expect.stringContaining("1..2047"),
      expect.stringContaining("level"),
      "it must be [index, level, x, z]",
    ]);
    expect(found[3]?.init?.map(({ player }) => player)).toEqual([5]);
    expect(found[5]?.packets?.map(({ to }) => to)).toEqual([[5]]);
    const { init = [] } = found[3] as Answer;
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
    decoder.init(parseHex(init[0]?.hex ?? ""), 5);
    decoder.decode(parseHex(found[5]?.packets?.[0]?.hex ?? ""));
    expect(decoder.player(5)).toMatchObject({ level: 0, x: 3201, z: 3202 });
    expect(decoder.player(8)).toMatchObject({ level: 0, x: 3200, z: 3202 });
  });

  it("takes the options of the engine", async () => {
    const far = {
      add: [
        [1, 0, 3200, 3200],
        [2, 0, 3230, 3200],
      ],
      observe: [1],
      tick: true,
    };
    const [near] = await answers(["osrs/player-info"], [far]);
    const [wide] = await answers(["osrs/player-info", "--view-distance", "40"], [far]);
    expect(wide?.packets?.[0]?.hex.length).toBeGreaterThan(near?.packets?.[0]?.hex.length ?? 0);
    const { code, stderr } = await runCommand(["engine", "osrs/player-info", "--max-locals", "0"], "");
    expect([code, stderr]).toEqual([2, "wirewalk: --max-locals 0: it must be an integer in 1..2047\n"]);
  });
});

describe("the world of a game", () => {
  it("takes payloads and gives effects", async () => {
    const codec = slimeOnline2.codec("documented");
    const found = await answers(
      ["slime-online-2", "--dialect", "documented", "--demo"],
      [
        {
          now: 0,
          join: [
            { player: 1, account: "ann", name: "Ann" },
            { player: 2, account: "bob", name: "Bob" },
          ],
        },
        {
          now: 20,
          receive: [
            [1, "00 08 02 DC 00 A4 01"],
            [1, "FF"],
            [3, "00080a"],
          ],
        },
        { now: 10, tick: true },
        {
          leave: [2],
          join: [
            { player: 1, account: "ann", name: "Ann" },
            { player: 3, name: "Eve" },
          ],
        },
      ],
    );
    expect(found[0]?.effects).toContainEqual({ effect: "enter", player: 1, room: "1" });
    const [relayed] = (found[1]?.effects ?? []).filter(({ effect }) => effect === "broadcast");
    expect(relayed).toMatchObject({ room: "1", except: 1 });
    expect(codec.read("server", parseHex(String(relayed?.payload))).value).toMatchObject({
      playerId: 1,
      x: 220,
      y: 420,
    });
    expect(found[1]?.errors).toEqual([
      { path: "receive[1].type", message: expect.stringContaining("Cannot read type") },
    ]);
    expect(found[2]?.errors).toEqual([{ path: "now", message: "it must be milliseconds, 20 or more" }]);
    expect(found[3]?.errors?.map(({ path }) => path)).toEqual(["join[0]", "join[1]"]);
    expect(found[3]?.effects).toContainEqual({ effect: "exit", player: 2, room: "1" });
  });

  it("is that of every game, and an unknown one is refused", async () => {
    const join = [{ player: 1, account: "ann", name: "Ann" }];
    // A client of MapleStory logs in first: it is on no map yet.
    const games = [
      ["maplestory", "26 00 01"],
      ["scrap-mechanic", "f0"],
      ["osrs", "22 0000 5860"],
    ] as const;
    for (const [name, hex] of games) {
      const [joined, received] = await answers(
        [name, "--demo"],
        [{ now: 0, join, tick: true }, { receive: [[1, hex]] }],
      );
      expect(joined, name).toMatchObject({ ok: true });
      expect([received?.errors ?? [], received?.effects ?? []].flat().length, name).toBeGreaterThan(0);
    }
    expect(osrs.capabilities.engines).toHaveProperty("player-info");
    const { code, stderr } = await runCommand(["engine", "osrs/player-inf"], "");
    expect([code, stderr]).toEqual([2, "wirewalk: unknown engine 'osrs/player-inf'; did you mean osrs/player-info?\n"]);
  });
});
