/**
 * A session on the game's own socket: the own slime and the ghosts of all others, out of nothing but messages. In
 * `documented` a session is a player at once and learns its id from the feed; in `v0106` it logs in first and is told.
 */
import type { PlayerId } from "wirewalk/motion";
import {
  type DemoRoom,
  demoRoom,
  flatGeometry,
  movePlayer,
  type Outgoing,
  type SlimeClientMessage,
  type SlimeServerMessage,
  slimeOnline2,
  toWireCoordinate,
} from "wirewalk/slime-online-2";
import type { JsonObject } from "wirewalk/wire";
import { GameSession } from "../game-session.ts";
import type { PlaySession, PlayState, Stage, WatchedRoom } from "../game-view.ts";
import { listenToKeys } from "../keyboard.ts";
import { Ghosts } from "./ghosts.ts";
import { OwnPlayer } from "./own-player.ts";

/** The own slime falls in from this far above the ground: less than the lowest ledge over a place to come in. */
const DROP_PX = 20;

/** Where a slime without a known room comes in, as the world has it. */
const DEFAULT_SPAWN = { x: 448, y: 160 };

type Effect = { readonly before?: JsonObject; readonly after?: JsonObject };

/** What became of a message of the server, and what is done once it is in the log. */
type Heard = Effect & { readonly player?: PlayerId; readonly afterwards?: () => void };

/** What the scene draws of a session. */
export interface SlimePlay extends PlaySession {
  readonly ghosts: Ghosts;
  /** Undefined until the session is in the room. */
  readonly own: OwnPlayer | undefined;
  /** The own id as far as it is known. */
  readonly self: PlayerId | undefined;
}

/** The watched room, where the server plays the made-up ones; of any other nothing is known. */
export function roomOf({ protocol, room }: WatchedRoom): DemoRoom | undefined {
  return protocol.demo !== null ? demoRoom(Number(room)) : undefined;
}

/** The shape of a room; one that this page does not know has nothing but a floor where its players come in. */
function geometryOf(room: DemoRoom | undefined) {
  return room?.geometry ?? flatGeometry(DEFAULT_SPAWN.y);
}

/** Opens the socket and plays until it is over. */
export function playSlime(stage: Stage, changed: (state: PlayState) => void): SlimePlay {
  const { dialect } = stage.watched.protocol;
  const codec = slimeOnline2.codec(dialect);
  const room = roomOf(stage.watched);
  const geometry = geometryOf(room);
  const ghosts = new Ghosts(geometry);
  let own: OwnPlayer | undefined;
  let toldSelf: PlayerId | undefined;
  let stopKeys: (() => void) | undefined;

  const self = (): PlayerId | undefined => toldSelf ?? stage.watched.self();
  const send = (message: SlimeClientMessage, effect: Effect = {}): void => {
    session.send(message);
    const id = self();
    stage.log({
      sender: "client",
      payload: codec.write("client", message),
      ...effect,
      ...(id === undefined ? {} : { player: id }),
    });
  };
  const say = ({ direction, x, y, before, after }: Outgoing & Effect): void =>
    send(
      { message: "movePlayer", value: movePlayer(direction, x, y) },
      { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) },
    );

  const enter = (at: { readonly x: number; readonly y: number }): void => {
    const nowMs = performance.now();
    own = new OwnPlayer(geometry, at, nowMs, say);
    const player = own;
    stopKeys = listenToKeys(
      {
        codes: { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" },
        onKey: (key, down) => player.key(key, down, performance.now()),
      },
      { window, document },
    );
    changed({ state: "playing" });
  };

  /** What a message of the server does here. Repeating a key comes after it: first the log says what was heard. */
  const hear = (message: SlimeServerMessage, nowMs: number): Heard => {
    switch (message.message) {
      case "movePlayer": {
        const { playerId: player, x, y } = message.value;
        if (player !== self()) return { player, ...ghosts.receive(player, message.value, nowMs) };
        if (own === undefined || x === undefined || y === undefined) return { player };
        const corrected = own;
        return { player, ...own.correct(x, y, nowMs), afterwards: () => corrected.repeatRefusedKey(nowMs) };
      }
      case "position": {
        const { playerId: player, x, y, ...keys } = message.value;
        if (player !== self() || own === undefined) return { player, ...ghosts.place(player, x, y, keys, nowMs) };
        const corrected = own;
        return { player, ...own.correct(x, y, nowMs), afterwards: () => corrected.repeatRefusedKey(nowMs) };
      }
      case "login": {
        if (message.value.result !== "success") {
          return { afterwards: () => session.leave(`The server refused the login: ${message.value.result}.`) };
        }
        const { playerId: player, x, y } = message.value;
        toldSelf = player;
        return { player, afterwards: () => enter({ x, y }) };
      }
      case "newPlayer": {
        const { playerId: player, x, y } = message.value;
        if (message.value.kind === "present") {
          return { player, ...ghosts.place(player, x, y, message.value, nowMs) };
        }
        const at = own?.state;
        if (at === undefined) return { player };
        const answer = { playerId: player, x: toWireCoordinate(at.x), y: toWireCoordinate(at.y) };
        return { player, afterwards: () => send({ message: "newPlayer", value: answer }) };
      }
      case "playerStop": {
        const { playerId: player, x, y } = message.value;
        return { player, ...ghosts.place(player, x, y, noKeys, nowMs) };
      }
      case "ping":
        return { afterwards: () => send({ message: "ping", value: {} }) };
      case "logout":
        return { player: message.value.playerId };
      case "warp":
        if (message.value.kind !== "command") return { player: message.value.playerId };
        return warped(message.value, nowMs);
      case "chat":
        return { player: message.value.playerId };
    }
  };

  /** The server takes the own slime elsewhere. Another room is another drawing, and another session. */
  const warped = (to: { readonly x: number; readonly y: number; readonly room: number }, nowMs: number): Heard => {
    if (String(to.room) === stage.watched.room) return own?.warp(to.x, to.y, nowMs) ?? {};
    return { afterwards: () => session.leave(`The server took you to room ${to.room}.`) };
  };

  const session = new GameSession<SlimeClientMessage, SlimeServerMessage>({
    stage,
    protocol: slimeOnline2,
    changed,
    onOpen() {
      if (slimeOnline2.capabilities.login?.admission(dialect) === undefined) {
        const spawn = room?.spawns[Math.floor(Math.random() * room.spawns.length)] ?? DEFAULT_SPAWN;
        enter({ x: spawn.x, y: spawn.y - DROP_PX });
      } else send(guestLogin());
    },
    onMessage(message, payload) {
      const { afterwards, ...record } = hear(message, performance.now());
      stage.log({ sender: "server", payload, ...record });
      afterwards?.();
    },
    // Releases are said while they still can be: others would see a slime that runs into the wall.
    onOver: () => stopKeys?.(),
  });

  return {
    ghosts,
    get own() {
      return own;
    },
    get self() {
      return self();
    },
    leave: () => session.leave(),
  };
}

const noKeys = { left: false, right: false, up: false, down: false };

/** An account of its own for every visit: the first login with a name makes it. */
function guestLogin(): SlimeClientMessage {
  const word = (): string => Math.random().toString(36).slice(2, 8);
  return {
    message: "login",
    value: { version: "0.106", user: `web${word().slice(0, 4)}`, password: word(), mac: "" },
  };
}
