import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { wireErrorOf } from "../../../../wire/testing/check-layout.ts";
import { findExamples, runExample } from "../../../../wire/testing/run-examples.ts";
import type { MessageSize, RevisionTable } from "../../../revisions.ts";
import { osrs } from "../../osrs.ts";
import { parseRevisionTable } from "./parse-table.ts";
import { revisionTable, tableRevisions } from "./revision-table.ts";

const tableOf = (revision: number): RevisionTable => revisionTable(revision) as RevisionTable;

/** Messages of the server with RECONNECT, and of the client: counted in the public sources. */
const counts: readonly (readonly [revision: number, server: number, client: number])[] = [
  [223, 135, 98],
  [224, 136, 100],
  [225, 138, 100],
  [226, 145, 101],
  [227, 137, 100],
  [228, 138, 100],
  [229, 138, 100],
  [230, 136, 100],
  [231, 138, 102],
  [232, 140, 93],
  [233, 142, 101],
  [234, 136, 101],
  [235, 136, 101],
  [236, 144, 101],
  [237, 140, 117],
  [238, 140, 101],
  [239, 150, 101],
  [240, 152, 101],
  [241, 152, 91],
];

/** PLAYER_INFO, REBUILD_NORMAL, SERVER_TICK_END, EVENT_MOUSE_MOVE, EVENT_NATIVE_MOUSE_MOVE, MOVE_GAMECLICK, MOVE_MINIMAPCLICK. */
const opcodes: Readonly<Record<number, readonly number[]>> = {
  223: [45, 98, 106, 64, 51, 56, 62],
  230: [23, 68, 108, 94, 61, 86, 55],
  236: [54, 34, 14, 42, 9, 54, 61],
  237: [64, 100, 93, 53, 57, 6, 93],
  239: [28, 49, 83, 110, 6, 114, 67],
  240: [91, 39, 92, 114, 88, 102, 61],
  241: [27, 96, 2, 87, 60, 55, 81],
};

describe("the tables of messages", () => {
  it("are those of 223 to 241", () => {
    expect(tableRevisions).toEqual(counts.map(([revision]) => revision));
    expect([222, 242, 0].map(revisionTable)).toEqual([undefined, undefined, undefined]);
  });

  it.each(counts)(
    "have as many messages in %i as the sources: %i of the server, %i of the client",
    (revision, server, client) => {
      const table = tableOf(revision);
      expect([table.revision, table.server.size, table.client.size]).toEqual([revision, server, client]);
      for (const messages of [table.server, table.client]) {
        // Opcodes are the keys: as many names as opcodes means that both are distinct.
        expect(new Set([...messages.values()].map(({ name }) => name)).size).toBe(messages.size);
        for (const [opcode, { name, size }] of messages) {
          expect(opcode).toBeLessThanOrEqual(255);
          expect(name).toMatch(/^[A-Z][A-Z\d_]*$/);
          expect(size === "varByte" || size === "varShort" || (Number.isInteger(size) && Number(size) < 60)).toBe(true);
        }
      }
      expect(table.server.get(255)).toEqual({ name: "RECONNECT", size: "varShort" });
      expect(table.server.has(253)).toBe(false);
    },
  );

  it.each(Object.keys(opcodes).map(Number))("have the opcodes of %i", (revision) => {
    const { server, client } = tableOf(revision);
    const idOf = (messages: RevisionTable["server"], ...names: string[]) =>
      [...messages].find(([, { name }]) => names.includes(name))?.[0];
    expect([
      idOf(server, "PLAYER_INFO"),
      idOf(server, "REBUILD_NORMAL", "REBUILD_NORMAL_V2"),
      idOf(server, "SERVER_TICK_END"),
      idOf(client, "EVENT_MOUSE_MOVE"),
      idOf(client, "EVENT_NATIVE_MOUSE_MOVE"),
      idOf(client, "MOVE_GAMECLICK"),
      idOf(client, "MOVE_MINIMAPCLICK"),
    ]).toEqual(opcodes[revision]);
  });

  it("give a message one size in all revisions", () => {
    const sizes = new Map<string, MessageSize>();
    for (const revision of tableRevisions) {
      for (const side of ["client", "server"] as const) {
        for (const { name, size } of tableOf(revision)[side].values()) {
          expect([name, sizes.get(`${side} ${name}`) ?? size]).toEqual([name, size]);
          sizes.set(`${side} ${name}`, size);
        }
      }
    }
    expect(sizes.get("server SET_ACTIVE_WORLD_V1")).toBe(4);
    expect(sizes.get("server SET_ACTIVE_WORLD_V2")).toBe(3);
    expect(sizes.get("client EVENT_MOUSE_CLICK_V1")).toBe(6);
    expect(sizes.get("client EVENT_MOUSE_CLICK_V2")).toBe(7);
  });
});

const least = { fromServer: { PLAYER_INFO: [17, -2] }, fromClient: { EVENT_MOUSE_MOVE: [3, -1] } };
const of242 = (side: "fromServer" | "fromClient", more: object): object => ({
  revisions: { 242: { ...least, [side]: { ...least[side], ...more } } },
});

describe("a table in JSON", () => {
  it("is what the game's own tables are, with what a recorder adds", () => {
    const json = of242("fromServer", { LOGOUT: [0, 0], VARP_SMALL: [128, 3] });
    const [table] = parseRevisionTable({ source: "by hand", ...json }).tables;
    expect(table?.revision).toBe(242);
    expect([...(table?.server ?? [])]).toEqual([
      [17, { name: "PLAYER_INFO", size: "varShort" }],
      [0, { name: "LOGOUT", size: 0 }],
      [128, { name: "VARP_SMALL", size: 3 }],
      [255, { name: "RECONNECT", size: "varShort" }],
    ]);
    expect([...(table?.client ?? [])]).toEqual([[3, { name: "EVENT_MOUSE_MOVE", size: "varByte" }]]);
  });

  it.each<[json: unknown, path: string]>([
    [5, "table"],
    [{ revisions: 5 }, "revisions"],
    [{ revisions: {} }, "revisions"],
    [{ revisions: { "0242": least } }, "revisions.0242"],
    [{ revisions: { 0: least } }, "revisions.0"],
    [{ revisions: { 242: 5 } }, "revisions.242"],
    [{ revisions: { 242: { ...least, from: {} } } }, "revisions.242"],
    [{ revisions: { 242: { fromServer: least.fromServer } } }, "revisions.242.fromClient"],
    [{ revisions: { 242: { fromClient: least.fromClient } } }, "revisions.242.fromServer"],
    [{ revisions: { 242: least }, client: {} }, "table"],
    [of242("fromServer", { LOGOUT: 5 }), "revisions.242.fromServer.LOGOUT"],
    [of242("fromServer", { LOGOUT: [1] }), "revisions.242.fromServer.LOGOUT"],
    [of242("fromServer", { LOGOUT: [256, 0] }), "revisions.242.fromServer.LOGOUT[0]"],
    [of242("fromServer", { LOGOUT: [17, 0] }), "revisions.242.fromServer.LOGOUT[0]"],
    [of242("fromServer", { LOGOUT: [1, -3] }), "revisions.242.fromServer.LOGOUT[1]"],
    [of242("fromServer", { LOGOUT: [1, 40_001] }), "revisions.242.fromServer.LOGOUT[1]"],
    [of242("fromServer", { LOGOUT: [255, 0] }), "revisions.242.fromServer.LOGOUT"],
    [of242("fromServer", { LOGOUT: [253, 0] }), "revisions.242.fromServer.LOGOUT"],
    [of242("fromClient", { "no name": [1, 0] }), "revisions.242.fromClient.?"],
    [{ clients: {} }, "table"],
    [{ client: { 256: 1 } }, "client.256"],
    [{ client: { "01": 1 } }, "client.01"],
    [{ server: { 7: -1 } }, "server.7"],
  ])("is refused where it is wrong: %j", (json, path) => {
    expect(wireErrorOf(() => parseRevisionTable(json))).toMatchObject({ code: "bad-value", path });
  });
});

describe("the capability", () => {
  const { revisions, settings } = osrs.capabilities;

  it("gives tables, and a game with other tables and the same settings", () => {
    expect(revisions?.known).toEqual(tableRevisions);
    expect(revisions?.table(239)).toBe(revisionTable(239));
    const game = revisions?.withTable(of242("fromServer", { LOGOUT: [0, 0] }));
    expect(game?.capabilities?.revisions?.known).toEqual([...tableRevisions, 242]);
    expect(game?.capabilities?.settings?.values.revision?.default).toBe(206);
    const configured = game?.capabilities?.settings?.configure({ revision: 242 });
    expect(configured?.capabilities?.settings?.values.playerInfoOpcode?.default).toBe(17);
    expect(configured?.codec("client").undescribed?.("server", Uint8Array.of(0))).toBe("LOGOUT");
    // The game itself has no such revision.
    expect(() => settings?.configure({ revision: 242 })).toThrow("osrs.revision must be one of");
  });

  it("replaces the table of a revision that the game has", () => {
    const game = revisions?.withTable({ revisions: { 239: least } });
    expect(game?.capabilities?.revisions?.table(239)?.server.get(17)?.name).toBe("PLAYER_INFO");
    expect(revisionTable(239)?.server.get(28)?.name).toBe("PLAYER_INFO");
  });

  it("takes sizes of messages without names too", () => {
    const game = revisions?.withTable({ client: { 200: 2 } });
    const channel = game?.openChannel({ side: "server", dialect: "client", carrier: "stream" });
    channel?.push(Uint8Array.of(200, 1, 2));
    expect(channel?.next()).toMatchObject({ payload: Uint8Array.of(200, 1, 2), error: { code: "unknown-message" } });
  });
});

test("the examples are true", () => {
  for (const file of ["revision-table.ts", "parse-table.ts"]) {
    const examples = findExamples(readFileSync(new URL(file, import.meta.url), "utf8"));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) runExample(example, { revisionTable, parseRevisionTable });
  }
});
