/**
 * A session on the game's own socket: the own slime and the ghosts of all others, made of messages alone. In the
 * document's dialects a session is a player at once, and the page learns its id from the feed. In `v0106` it logs in first,
 * and the login carries the id.
 */
import type { PlayerId } from "wirewalk/motion";
import { movePlayer, type SlimeClientMessage, type SlimeServerMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import { type DemoRoom, demoRoom, flatGeometry } from "wirewalk/slime-online-2/maps";
import { defaultDebounceMs, toWireCoordinate } from "wirewalk/slime-online-2/movement";
import { GameSession } from "../../game-session.ts";
import type { PlaySession, PlayState, Stage, WatchedRoom } from "../../game-view.ts";
import { listenToKeys } from "../../keyboard.ts";
import { type GhostChange, Ghosts } from "./ghosts.ts";
import { type OwnMove, OwnPlayer, type StateChange } from "./own-player.ts";

/** The own slime falls in from this far above the ground: less than the lowest ledge over a spawn. */
const DROP_PX = 20;

/** Where a player comes in whose room is unknown, as in the world. */
const DEFAULT_SPAWN = { x: 448, y: 160 };

/** A message that waits is sent after this time even if nothing is drawn, as in a background tab. */
const WAITING_MS = defaultDebounceMs + 1;

/** What a message of the server changed here, and what is to be done once it is in the log. */
type Outcome = GhostChange & { readonly player?: PlayerId; readonly afterwards?: () => void };

/** What the scene draws of a session. */
export interface SlimePlay extends PlaySession {
  readonly ghosts: Ghosts;
  /** Undefined until the session is in the room. */
  readonly own: OwnPlayer | undefined;
  /** The own id as far as it is known. */
  readonly self: PlayerId | undefined;
}

/** The watched room, if the server plays the demo rooms; the page knows no others. */
export function roomOf({ world, room }: WatchedRoom): DemoRoom | undefined {
  return world.demo !== null ? demoRoom(Number(room)) : undefined;
}

/** The shape of a room. An unknown one has only a floor, at the height of its spawn. */
function geometryOf(room: DemoRoom | undefined) {
  return room?.geometry ?? flatGeometry(DEFAULT_SPAWN.y);
}

/** Opens the socket and plays until it closes. */
export function playSlime(stage: Stage, changed: (state: PlayState) => void): SlimePlay {
  const { dialect } = stage.watched.world;
  const codec = slimeOnline2.codec(dialect);
  const room = roomOf(stage.watched);
  const geometry = geometryOf(room);
  const ghosts = new Ghosts(geometry);
  let own: OwnPlayer | undefined;
  let idFromLogin: PlayerId | undefined;
  let stopKeys: (() => void) | undefined;

  const self = (): PlayerId | undefined => idFromLogin ?? stage.watched.self();
  const send = (message: SlimeClientMessage, change: Partial<StateChange> = {}): void => {
    session.send(message);
    const id = self();
    stage.log({
      sender: "client",
      payload: codec.write("client", message),
      ...change,
      ...(id === undefined ? {} : { player: id }),
    });
  };
  const sendMove = ({ direction, x, y, before, after }: OwnMove): void =>
    send({ message: "movePlayer", value: movePlayer(direction, x, y) }, { before, after });

  const enter = (at: { readonly x: number; readonly y: number }): void => {
    const player = new OwnPlayer(geometry, at, performance.now(), sendMove);
    own = player;
    const stopListening = listenToKeys(
      {
        codes: { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" },
        onKey(key, down) {
          player.key(key, down, performance.now());
          if (player.isWaiting) setTimeout(() => player.advance(performance.now()), WAITING_MS);
        },
      },
      { window, document },
    );
    stopKeys = () => {
      stopListening();
      player.finish();
    };
    changed({ state: "playing" });
  };

  /** Applies a message of the server. What answers it is sent afterwards: the log first shows what has arrived. */
  const receive = (message: SlimeServerMessage, nowMs: number): Outcome => {
    switch (message.message) {
      case "movePlayer": {
        const { playerId: player, x, y } = message.value;
        if (player !== self()) return { player, ...ghosts.receive(player, message.value, nowMs) };
        if (own === undefined || x === undefined || y === undefined) return { player };
        return { player, ...own.correct(x, y, nowMs) };
      }
      case "position": {
        const { playerId: player, x, y, ...keys } = message.value;
        if (player !== self() || own === undefined) return { player, ...ghosts.place(player, x, y, keys, nowMs) };
        return { player, ...own.correct(x, y, nowMs) };
      }
      case "login": {
        if (message.value.result !== "success") {
          return { afterwards: () => session.leave(`The server refused the login: ${message.value.result}.`) };
        }
        const { playerId: player, x, y } = message.value;
        idFromLogin = player;
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
        return warp(message.value, nowMs);
      case "chat":
        return { player: message.value.playerId };
    }
  };

  /** The server moves the own slime. Another room is another drawing, and another session. */
  const warp = (to: { readonly x: number; readonly y: number; readonly room: number }, nowMs: number): Outcome => {
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
      const { afterwards, ...record } = receive(message, performance.now());
      stage.log({ sender: "server", payload, ...record });
      afterwards?.();
    },
    // Releases are sent while the socket is open: others would see a slime that runs into the wall.
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

/** A new account for every visit: the first login with a name creates it. */
function guestLogin(): SlimeClientMessage {
  const word = (): string => Math.random().toString(36).slice(2, 8);
  return {
    message: "login",
    value: { version: "0.106", user: `web${word().slice(0, 4)}`, password: word(), mac: "" },
  };
}
