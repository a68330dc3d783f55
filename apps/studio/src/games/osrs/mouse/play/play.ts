/**
 * A session on the game's own socket that sends the visitor's mouse: pointer events of the canvas, sampled and packed as
 * the game's client does it. The game sends no answer; the server's measurements come back through the feed.
 */

import { osrs } from "wirewalk/osrs";
import {
  CYCLE_MS,
  canvasPoint,
  GAME_HEIGHT,
  GAME_WIDTH,
  type MouseMoveMessage,
  MouseTracker,
  PLAYBACK_DELAY_MS,
  PointerRecorder,
  type PointerSurface,
  readMousePacket,
} from "wirewalk/osrs/mouse";
import type { JsonObject } from "wirewalk/wire";
import { GameSession } from "../../../game-session.ts";
import type { PlaySession, PlayState, Stage } from "../../../game-view.ts";

/** A position of the own pointer, in pixels of the window. */
export interface OwnPlace {
  readonly x: number;
  readonly y: number;
  /** On the page's clock. */
  readonly atMs: number;
}

/** What the scene draws of a session. */
export interface MousePlay extends PlaySession {
  /** Positions that the feed cannot have shown yet, oldest first; empty outside the window. */
  pending(nowMs: number): readonly OwnPlace[];
}

/** A canvas as the game's window: its pixels are the game's, whatever the size of its bitmap. */
export function gameWindow(canvas: PointerSurface): PointerSurface {
  return {
    width: GAME_WIDTH,
    height: GAME_HEIGHT,
    get clientLeft() {
      return canvas.clientLeft;
    },
    get clientTop() {
      return canvas.clientTop;
    },
    get clientWidth() {
      return canvas.clientWidth;
    },
    get clientHeight() {
      return canvas.clientHeight;
    },
    get offsetWidth() {
      return canvas.offsetWidth;
    },
    get offsetHeight() {
      return canvas.offsetHeight;
    },
    getBoundingClientRect: () => canvas.getBoundingClientRect(),
    addEventListener: (type, listener) => canvas.addEventListener(type, listener),
    removeEventListener: (type, listener) => canvas.removeEventListener(type, listener),
  };
}

/** What a sent packet changes in a server's memory of the session: the wire log shows it as the packet's effect. */
export class SentPath {
  readonly #dialect: string;
  readonly #tracker: MouseTracker;
  #state: JsonObject = { x: null, y: null, known: false, outside: false, atMs: 0, records: 0 };

  constructor(dialect: string) {
    this.#dialect = dialect;
    this.#tracker = new MouseTracker({ dialect });
  }

  /** A packet without its opcode, as a message with its effect. */
  take(packet: Uint8Array): {
    readonly message: MouseMoveMessage;
    readonly before: JsonObject;
    readonly after: JsonObject;
  } {
    const before = this.#state;
    let records = Number(before.records);
    this.#tracker.read(packet, ({ x, y, known, outside, atMs }) => {
      records += 1;
      this.#state = { x, y, known, outside, atMs, records };
    });
    const message = { message: "mouseMove", value: readMousePacket(this.#dialect, packet) } as const;
    return { message, before, after: this.#state };
  }
}

/** Opens the socket and sends the pointer's movements over the canvas until the session ends. */
export function playMouse(stage: Stage, canvas: PointerSurface, changed: (state: PlayState) => void): MousePlay {
  const { dialect, settings } = stage.watched.world;
  // With the server's opcodes.
  const game = osrs.capabilities.settings?.configure(settings) ?? osrs;
  const codec = game.codec(dialect);
  const surface = gameWindow(canvas);
  const sent = new SentPath(dialect);
  let places: OwnPlace[] = [];
  let stopRecording: (() => void) | undefined;

  const send = (packet: Uint8Array): void => {
    const { message, before, after } = sent.take(packet);
    session.send(message);
    const player = stage.watched.self();
    const payload = codec.write("client", message);
    stage.log({ sender: "client", payload, before, after, ...(player === undefined ? {} : { player }) });
  };

  /** A new process of the client: its first record says where it is. */
  const record = (): (() => void) => {
    // Safe: a visitor who sees wrong positions come back can rule out that the page sent them.
    const recorder = new PointerRecorder(surface, { dialect, startMs: performance.now(), safe: true });
    const move = (event: { readonly clientX: number; readonly clientY: number; readonly timeStamp: number }): void => {
      places.push({ ...canvasPoint(surface, event.clientX, event.clientY), atMs: event.timeStamp });
    };
    const leave = (): void => {
      places = [];
    };
    surface.addEventListener("pointermove", move);
    surface.addEventListener("pointerleave", leave);
    const timer = setInterval(() => {
      for (const packet of recorder.step(performance.now())) send(packet);
    }, CYCLE_MS);
    return () => {
      clearInterval(timer);
      recorder.detach();
      surface.removeEventListener("pointermove", move);
      surface.removeEventListener("pointerleave", leave);
    };
  };

  const session = new GameSession({
    stage,
    protocol: game,
    changed,
    onOpen: () => {
      stopRecording = record();
      changed({ state: "playing" });
    },
    onMessage: () => {},
    onOver: () => stopRecording?.(),
  });

  return {
    pending(nowMs) {
      // The last position stays: a mouse at rest sends nothing.
      while (places[1] !== undefined && nowMs - places[1].atMs > PLAYBACK_DELAY_MS) places.shift();
      return places;
    },
    leave: () => session.leave(),
  };
}
