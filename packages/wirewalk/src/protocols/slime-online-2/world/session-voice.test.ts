import { describe, expect, it } from "vitest";
import { scaled } from "../../../testing/scale.ts";
import { demoRoom } from "../maps/demo-rooms.ts";
import { type Options, pair, Stage } from "../testing/stage.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";

const ping = { message: "ping", value: {} } as const;

function withoutPings<M>(messages: readonly M[]): readonly M[] {
  return messages.filter((each) => (each as { readonly message?: string }).message !== "ping");
}

describe("v0106", () => {
  const keysUp = { left: false, right: false, up: false, down: false, upPress: false };
  const plain = { body: 1, accessory1: 0, accessory2: 0 };
  const v0106 = (options: Options = {}): Stage => pair({ dialect: "v0106", ...options });

  it("LOGIN is sent first and carries the account's state", () => {
    const stage = new Stage({ dialect: "v0106", motd: "Welcome" });
    stage.to(90_061_000).join(5, { name: "ann", room: "3" });
    const none = (count: number): number[] => new Array<number>(count).fill(0);
    expect(stage.effects.map(({ effect }) => effect)).toEqual(["send", "enter"]);
    expect(stage.received(5)).toEqual([
      {
        message: "login",
        value: {
          result: "success",
          playerId: 5,
          time: 90_061,
          motd: "Welcome",
          day: 2,
          hour: 1,
          minute: 1,
          name: "ann",
          x: 448,
          y: 160,
          room: 3,
          ...plain,
          points: 0,
          signature: 0,
          quest: 0,
          questStep: 0,
          trees: 0,
          built: 0,
          emotes: none(5),
          outfits: none(9),
          accessories: none(9),
          items: none(9),
          tools: none(9),
        },
      },
    ]);
  });

  it("with demo rooms, players start on the ground there", () => {
    const stage = new Stage({ dialect: "v0106", demo: true }).join(5, { room: "2" });
    const [login] = stage.received(5);
    const { x, y } = (login as { value: { x: number; y: number } }).value;
    expect(demoRoom(2)?.spawns).toContainEqual({ x, y });
    expect(demoRoom(2)?.geometry.groundAt(x, y)).toBe(true);
  });

  it("a second LOGIN is refused", () => {
    const login: SlimeClientMessage = { message: "login", value: { version: "", user: "x", password: "y", mac: "" } };
    expect(v0106().send(1, login)).toEqual(["reject login-twice"]);
  });

  it("names and the message of the day can always be written", () => {
    const stage = new Stage({ dialect: "v0106", motd: "Привет\u0000".repeat(500) }).join(1);
    stage.join(2, { name: `日本\n${"x".repeat(200)}` });
    expect(stage.received(1).at(-1)).toMatchObject({ message: "newPlayer", value: { name: `???${"x".repeat(61)}` } });
  });

  it("NEW_PLAYER: everyone online, in any room, receives an announcement and introduces itself", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    for (const id of [1, 2, 4]) stage.received(id);
    stage.join(3, { name: "cat" });
    const announce = { kind: "announce", x: 448, y: 160, playerId: 3, room: 1, name: "cat", ...plain };
    for (const id of [1, 2, 4]) expect(stage.received(id)).toEqual([{ message: "newPlayer", value: announce }]);
    expect(stage.received(3)).toHaveLength(1);

    stage.send(1, { message: "newPlayer", value: { playerId: 3, x: 455, y: 160 } });
    const at = { kind: "present", x: 455, y: 160, playerId: 1, ...keysUp, right: true, room: 1 };
    expect(stage.received(3)).toEqual([{ message: "newPlayer", value: { ...at, name: "player1", ...plain } }]);
    // Once: an answer without an announcement is ignored.
    stage.send(1, { message: "newPlayer", value: { playerId: 3, x: 455, y: 160 } });
    stage.send(1, { message: "newPlayer", value: { playerId: 2, x: 455, y: 160 } });
    expect(stage.received(3)).toEqual([]);
    expect(stage.received(2)).toEqual([]);
  });

  it("NEW_PLAYER: the server answers for a client that has not answered within a second", () => {
    const stage = v0106().join(3);
    stage.received(3);
    stage.send(1, { message: "newPlayer", value: { playerId: 3, x: 448, y: 160 } });
    expect(stage.received(3)).toMatchObject([{ value: { playerId: 1 } }]);
    stage.to(1900);
    expect(withoutPings(stage.received(3))).toEqual([]);
    stage.to(2100);
    expect(withoutPings(stage.received(3))).toMatchObject([
      { message: "newPlayer", value: { kind: "present", playerId: 2, x: 448, y: 160, room: 1, ...keysUp } },
    ]);
    stage.to(10_000);
    expect(withoutPings(stage.received(3))).toEqual([]);
  });

  it("NEW_PLAYER: an answer with an impossible place is sent with the server's place", () => {
    const stage = v0106().join(3);
    stage.received(3);
    stage.send(1, { message: "newPlayer", value: { playerId: 3, x: 60_000, y: 160 } });
    expect(stage.received(3)).toMatchObject([{ value: { playerId: 1, x: 448, y: 160 } }]);
    // Nor after a rest, in which it could have got there at the greatest speed.
    stage.to(stage.now + 120_000).join(4);
    stage.received(4);
    stage.send(1, { message: "newPlayer", value: { playerId: 4, x: 40_000, y: 160 } });
    expect(stage.received(4)).toMatchObject([{ value: { playerId: 1, x: 448, y: 160 } }]);
  });

  it("NEW_PLAYER: players who left are not introduced, and not introduced to", () => {
    const stage = v0106().join(3);
    stage.leave(3).leave(2).received(1);
    stage.send(1, { message: "newPlayer", value: { playerId: 3, x: 448, y: 160 } });
    stage.join(3).join(2);
    for (const id of [1, 2, 3]) stage.received(id);
    // A later player with the same id has its own second.
    stage.to(1950);
    expect(withoutPings(stage.received(3))).toEqual([]);
    stage.to(2100);
    const introduced = withoutPings(stage.received(3)).map(
      (message) => (message as { value: { playerId: number } }).value.playerId,
    );
    expect(introduced).toEqual([1]);
  });

  it("a crowd may log in at once", () => {
    // At full size half a million introductions are due, and each is found at once.
    const stage = new Stage({ dialect: "v0106" });
    const count = scaled(1000, 60);
    for (let id = 1; id <= count; id++) stage.world.join(id, { account: `a${id}`, name: "" }, 0);
    stage.world.takeEffects();
    for (let id = 1; id <= count; id++) {
      for (let newcomer = id + 1; newcomer <= count; newcomer++) {
        const message = { message: "newPlayer", value: { playerId: newcomer, x: 1, y: 1 } } as const;
        stage.world.receive(id, message, new Uint8Array(), 1);
      }
    }
    expect(stage.world.takeEffects()).toHaveLength((count * (count - 1)) / 2);
  });

  it("LOGOUT ends the session and is sent to everyone online", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.received(4);
    stage.send(1, { message: "logout", value: {} });
    expect(stage.of("close")).toEqual([{ effect: "close", player: 1, reason: "logout" }]);
    stage.received(2);
    stage.leave(1);
    const logout = { message: "logout", value: { playerId: 1 } };
    expect(stage.received(2)).toEqual([logout]);
    expect(stage.received(4)).toEqual([logout]);
  });

  it("PING: a second after each answer, and an answer is not answered", () => {
    // The first ping is sent at once, and open.
    const stage = v0106();
    stage.send(1, ping);
    expect(stage.received(1)).toEqual([]);
    stage.to(1900);
    expect(stage.received(1)).toEqual([]);
    stage.to(2100);
    expect(stage.received(1)).toEqual([ping]);
  });

  it("PING: a client that does not answer is sent another every 20 s, before it gives up", () => {
    const stage = v0106();
    stage.to(19_900);
    expect(stage.received(1)).toEqual([]);
    stage.to(99_900);
    expect(stage.received(1)).toHaveLength(4);
  });

  it("PING: a client's own is answered, and which of its pings are answers is unclear from then on", () => {
    const stage = v0106();
    stage.send(1, ping);
    stage.send(1, ping);
    expect(stage.received(1)).toEqual([ping]);
    expect(stage.received(2)).toEqual([]);
    stage.send(1, ping);
    stage.to(20_900);
    expect(stage.received(1)).toEqual([]);
    stage.to(21_100);
    expect(stage.received(1)).toEqual([ping]);
  });

  it("WARP: the old room receives left, the new one arrived, and the newcomer the players there", () => {
    const stage = v0106().join(3, { room: "2" });
    stage.move(3, "rightPress", 448, 160);
    for (const id of [1, 2, 3]) stage.received(id);
    stage.send(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    expect(stage.received(2)).toEqual([{ message: "warp", value: { playerId: 1, kind: "left" } }]);
    expect(stage.received(3)).toEqual([{ message: "warp", value: { playerId: 1, kind: "arrived", x: 30, y: 40 } }]);
    expect(stage.received(1)).toEqual([
      { message: "warp", value: { playerId: 3, kind: "arrived", x: 448, y: 160 } },
      { message: "position", value: { kind: "correction", playerId: 3, x: 448, y: 160, ...keysUp, right: true } },
    ]);
    expect(stage.effects.slice(-6).map(({ effect }) => effect)).toEqual([
      "broadcast",
      "exit",
      "enter",
      "broadcast",
      "send",
      "send",
    ]);
    expect(stage.world.rooms()).toEqual(
      new Map([
        ["1", 1],
        ["2", 2],
      ]),
    );
    // Near the door, or where the room's script puts it.
    expect(stage.move(1, "leftPress", 700, 500)).toEqual([]);
    expect(stage.received(3)).toEqual(["1 leftPress 700 500"]);
    expect(stage.received(2)).toEqual([]);
  });

  it("WARP: a key that was held through a door may be released behind it", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.send(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    stage.join(3, { room: "2" }).received(3);
    expect(stage.move(1, "rightRelease", 60, 40)).toEqual(["benign lifted-before"]);
    expect(stage.received(3)).toEqual(["1 rightRelease 60 40"]);
    // Once.
    expect(stage.move(1, "rightRelease", 60, 40)).toEqual(["reject transition"]);
    expect(stage.move(1, "leftRelease", 60, 40)).toEqual(["reject transition"]);
    const strict = v0106({ strict: true });
    strict.move(1, "rightPress", 448, 160);
    strict.send(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    expect(strict.move(1, "rightRelease", 60, 40)).toEqual(["reject transition"]);
  });

  it("WARP: ten at once and five a second, since each is sent to two rooms", () => {
    const stage = v0106();
    const warp: SlimeClientMessage = { message: "warp", value: { room: 2, x: 30, y: 40 } };
    for (let index = 0; index < 10; index++) expect(stage.send(1, warp)).toEqual([]);
    stage.received(2);
    expect(stage.send(1, warp)).toEqual(["reject warp-rate"]);
    expect(stage.received(2)).toEqual([]);
    stage.to(2000);
    for (let index = 0; index < 5; index++) expect(stage.send(1, warp)).toEqual([]);
    expect(stage.send(1, warp)).toEqual(["reject warp-rate"]);
  });

  it("WARP: game code may command it", () => {
    const stage = v0106();
    stage.world.warp(1, 2, 30, 40, stage.now, true);
    stage.settle();
    expect(stage.received(1)).toEqual([{ message: "warp", value: { kind: "command", x: 30, y: 40, room: 2 } }]);
    expect(stage.received(2)).toEqual([{ message: "warp", value: { playerId: 1, kind: "left" } }]);
    expect(stage.world.tracks(stage.now, "2")[0]?.position).toEqual({ x: 30, y: 40 });
  });

  it("WARP: messages sent before the command arrived are not a violation", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.world.warp(1, 2, 9000, 9000, stage.now, true);
    stage.settle();
    expect(stage.to(1200).move(1, "landing", 470, 160)).toEqual([]);
    expect(stage.to(1400).move(1, "leftPress", 9000, 9000)).toEqual([]);
    expect(stage.to(1600).move(1, "leftRelease", 448, 160)).toEqual(["correct teleport"]);
  });

  it("WARP: within the room is one too, judged like a move (standard 8.9)", () => {
    const stage = v0106();
    expect(stage.send(1, { message: "warp", value: { room: 1, x: 9000, y: 40 } })).toEqual(["correct teleport"]);
    expect(stage.received(2)).toEqual([]);
    expect(stage.received(1)).toMatchObject([{ message: "position", value: { playerId: 1, x: 448, y: 160 } }]);
    expect(stage.send(1, { message: "warp", value: { room: 1, x: 449, y: 160 } })).toEqual([]);
    expect(stage.received(2)).toEqual([
      { message: "warp", value: { playerId: 1, kind: "left" } },
      { message: "warp", value: { playerId: 1, kind: "arrived", x: 449, y: 160 } },
    ]);
  });

  it("PLAYER_STOP: all keys up at that place, relayed to the others", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.move(1, "downPress");
    stage.received(2);
    expect(stage.to(1500).send(1, { message: "playerStop", value: { x: 500, y: 160 } })).toEqual([]);
    expect(stage.received(2)).toEqual([{ message: "playerStop", value: { playerId: 1, x: 500, y: 160 } }]);
    expect(stage.received(1)).toEqual([]);
    expect(stage.world.tracks(stage.now)[0]).toMatchObject({
      position: { x: 500, y: 160 },
      velocity: { x: 0, y: 0 },
      stance: "stand",
      details: keysUp,
    });
    // The client releases the key later.
    expect(stage.move(1, "rightRelease", 500, 160)).toEqual(["benign lifted-before"]);
    expect(stage.move(1, "rightPress", 500, 160)).toEqual([]);
  });

  it("PLAYER_STOP: its position is judged like any other", () => {
    const stage = v0106();
    expect(stage.send(1, { message: "playerStop", value: { x: 9000, y: 160 } })).toEqual(["correct teleport"]);
    expect(stage.received(2)).toEqual([]);
    expect(stage.received(1)).toMatchObject([{ message: "position", value: { playerId: 1, x: 448, y: 160 } }]);
  });

  it("CHAT: to everyone in the room, the sender too", () => {
    const stage = v0106().join(4, { room: "2" });
    for (const id of [1, 2, 4]) stage.received(id);
    stage.send(1, { message: "chat", value: { text: "hello" } });
    const chat = { message: "chat", value: { playerId: 1, text: "hello" } };
    expect(stage.received(1)).toEqual([chat]);
    expect(stage.received(2)).toEqual([chat]);
    expect(stage.received(4)).toEqual([]);
  });

  it("refresh sends who is here, with places and keys, and who is not", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    stage.received(2);
    expect(stage.refresh(2).received(2)).toEqual([
      { message: "warp", value: { playerId: 4, kind: "left" } },
      { message: "warp", value: { playerId: 1, kind: "arrived", x: 448, y: 160 } },
      { message: "position", value: { kind: "correction", playerId: 1, x: 448, y: 160, ...keysUp, right: true } },
    ]);
  });

  describe("x is sixteen bits of a number that may be negative", () => {
    it("left of the edge is near the edge", () => {
      const stage = v0106();
      stage.move(1, "leftPress", 448, 160);
      expect(stage.to(4100).move(1, "landing", 5, 160)).toEqual([]);
      expect(stage.to(4200).move(1, "leftRelease", 65_531, 160)).toEqual([]);
      expect(stage.received(2).slice(1)).toEqual(["1 landing 5 160", "1 leftRelease 65531 160"]);
      expect(stage.to(4300).move(1, "upPress", -5)).toEqual([]);
      expect(stage.to(5000).move(1, "rightPress", 65_525, 160)).toEqual([]);
      expect(stage.to(5100).move(1, "rightRelease", 3, 160)).toEqual([]);
    });

    it("a jump in a wide room is not a teleport", () => {
      const stage = new Stage({ dialect: "v0106" }).join(1);
      stage.send(1, { message: "warp", value: { room: 2, x: 40_000, y: 160 } });
      stage.move(1, "landing", 40_000, 160);
      stage.to(4000);
      expect(stage.move(1, "upPress", 40_000 - 65_536)).toEqual([]);
      expect(stage.to(4700).move(1, "landing", 40_050, 160)).toEqual([]);
    });

    it("messages about such a place can be written", () => {
      const stage = v0106();
      stage.move(1, "leftPress", 448, 160);
      expect(stage.to(4200).move(1, "leftRelease", 65_531, 160)).toEqual([]);
      stage.move(1, "upPress", -5);
      stage.move(1, "landing", 30_000, 160);
      expect(stage.received(1)).toMatchObject([{ message: "position", value: { x: 0, y: 160 } }]);
      stage.join(3).to(12_000).leave(1);
      stage.received(3);
    });

    it("in the document's dialects it is unsigned", () => {
      const stage = pair();
      stage.to(9000).move(1, "leftPress", 5, 160);
      expect(stage.to(9100).move(1, "leftRelease", 65_531, 160)).toEqual(["correct teleport"]);
    });
  });
});
