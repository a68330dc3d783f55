/** A session on the game's own socket: hello, then one packet per tick, and what comes back is reconciled and drawn. */
import { systemClock } from "wirewalk/net";
import {
  type PlayerMovement,
  type ScrapClientMessage,
  type ScrapServerMessage,
  SESSION_VERSION,
  scrapMechanic,
} from "wirewalk/scrap-mechanic";
import { places } from "wirewalk/scrap-mechanic/movement";
import { GameSession } from "../../game-session.ts";
import type { PlaySession, PlayState, Stage } from "../../game-view.ts";
import { listenToPlayer } from "./controls.ts";
import { placeNameOf } from "./figure.ts";
import { Ghosts } from "./ghosts.ts";
import { OwnCharacter, type StateEffect } from "./own-character.ts";
import { messageWords } from "./wire-words.ts";
import type { WorseNetwork } from "./worse-network.ts";

/** A tab that is hidden draws no frames: then a packet is said this often, so that the server knows that it stands. */
const HIDDEN_EVERY_MS = 100;

/** What the scene draws of a session. */
export interface ScrapPlay extends PlaySession {
  readonly ghosts: Ghosts;
  /** Undefined until the session is playing. */
  readonly own: OwnCharacter | undefined;
  /** A frame is drawn: says the packet of its tick. */
  frame(nowMs: number): void;
}

/** What a session is played with. */
export interface ScrapPlayOptions {
  /** What the mouse steers on. */
  readonly surface: HTMLElement;
  /** The line as the person at the page wants it. */
  readonly network: WorseNetwork;
  readonly changed: (state: PlayState) => void;
}

/** Opens the socket and plays until it is over. */
export function playScrap(stage: Stage, { surface, network, changed }: ScrapPlayOptions): ScrapPlay {
  const { dialect, settings } = stage.watched.world;
  // With the server's count byte.
  const game = scrapMechanic.capabilities.settings?.configure(settings) ?? scrapMechanic;
  const codec = game.codec(dialect);
  const ghosts = new Ghosts(places[placeNameOf(settings)]);
  let own: OwnCharacter | undefined;
  let stopPlaying: (() => void) | undefined;
  let frameMs = Number.NEGATIVE_INFINITY;

  const log = (
    sender: "client" | "server",
    payload: Uint8Array,
    message: ScrapClientMessage | ScrapServerMessage,
    { player, ...effect }: Partial<StateEffect> & { readonly player: number | undefined },
  ): void => {
    const reading = { words: messageWords(message), trace: () => codec.trace(sender, payload) };
    stage.log({ sender, payload, reading, ...effect, ...(player === undefined ? {} : { player }) });
  };
  const send = (message: ScrapClientMessage, effect: Partial<StateEffect> = {}): void => {
    session.send(message);
    log("client", codec.write("client", message), message, { ...effect, player: own?.character });
  };
  const say = (nowMs: number): void => {
    const said = session.isOver ? undefined : own?.frame(nowMs);
    if (said !== undefined) send(movementMessage(said.movement), said.effect);
  };

  const enter = (character: OwnCharacter): void => {
    own = character;
    const stopListening = listenToPlayer(surface, character.sampler, () => send({ message: "use", value: {} }));
    const cancel = systemClock.every(HIDDEN_EVERY_MS, () => {
      const nowMs = performance.now();
      if (nowMs - frameMs > HIDDEN_EVERY_MS) say(nowMs);
    });
    stopPlaying = () => {
      stopListening();
      cancel();
    };
    changed({ state: "playing" });
  };

  const receive = (message: ScrapServerMessage, payload: Uint8Array, nowMs: number): void => {
    if (message.message === "unreliableUpdate" && own !== undefined) {
      const effect = own.receive(message.value, nowMs);
      ghosts.receive(message.value, own.character, nowMs);
      log("server", payload, message, { ...effect, player: own.character });
      return;
    }
    if (message.message === "playing" && own === undefined) {
      enter(
        new OwnCharacter(message.value, nowMs, settings.model === 1 ? "documented" : "smServer", placeNameOf(settings)),
      );
    }
    if (message.message === "left") ghosts.forget(message.value.character);
    log("server", payload, message, { player: "character" in message.value ? message.value.character : undefined });
  };

  const session = new GameSession<ScrapClientMessage, ScrapServerMessage>({
    stage,
    protocol: game,
    changed,
    wrap: (transport) => network.wrap(transport),
    onOpen: () => send({ message: "hello", value: { version: SESSION_VERSION } }),
    onMessage: (message, payload) => receive(message, payload, performance.now()),
    onOver: () => stopPlaying?.(),
  });

  return {
    ghosts,
    get own() {
      return own;
    },
    frame(nowMs) {
      frameMs = nowMs;
      say(nowMs);
    },
    leave: () => session.leave(),
  };
}

function movementMessage(value: PlayerMovement): ScrapClientMessage {
  return { message: "playerMovement", value };
}
