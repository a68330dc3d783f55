/** A session on a game's own socket, from joining until it is over, however that comes about: the same for every game. */
import { type Client, connectClient } from "wirewalk/client";
import { connectWebSocket, type Transport } from "wirewalk/net";
import type { ProtocolWith, WireMessage } from "wirewalk/protocol";
import type { PlaySession, PlayState, Stage } from "./game-view.ts";

/** What a game does with its session. */
export interface GameSessionOptions<C extends WireMessage, S extends WireMessage> {
  readonly stage: Stage;
  /** As the server has set it. */
  readonly protocol: ProtocolWith<"openChannel", C, S>;
  readonly changed: (state: PlayState) => void;
  /** Puts something between the socket and the game. Default: the line of the stage. */
  readonly wrap?: (transport: Transport) => Transport;
  /** The socket is open. */
  readonly onOpen: () => void;
  readonly onMessage: (message: S, payload: Uint8Array) => void;
  /** Called once, while the socket may still be open: the last chance to say something, and to free what playing needed. */
  readonly onOver?: () => void;
}

/** The game's socket, opened at once. */
export class GameSession<C extends WireMessage, S extends WireMessage> implements PlaySession {
  readonly #options: GameSessionOptions<C, S>;
  #client: Client<C> | undefined;
  #over = false;

  constructor(options: GameSessionOptions<C, S>) {
    this.#options = options;
    options.changed({ state: "joining" });
    this.#connect().catch((error: unknown) => this.#finish(error instanceof Error ? error.message : String(error)));
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Nothing is said before the socket is open. */
  send(message: C): void {
    this.#client?.send(message);
  }

  /** With a reason, the server's word or the page's own made an end of it. */
  leave(reason?: string): void {
    this.#finish(reason);
    this.#client?.close("left");
  }

  async #connect(): Promise<void> {
    const { stage, protocol, wrap, onOpen, onMessage } = this.#options;
    const transport = await connectWebSocket(stage.gameUrl());
    if (this.#over) {
      transport.close("left");
      return;
    }
    this.#client = connectClient<C, S>({
      protocol,
      dialect: stage.watched.world.dialect,
      transport: wrap?.(transport) ?? stage.line.wrap(transport),
      onMessage,
      onRefused: (_error, payload) => stage.log({ sender: "server", payload }),
      onClosed: (reason) => this.#finish(`The game’s connection is over: ${reason}.`),
    });
    onOpen();
  }

  #finish(reason: string | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onOver?.();
    this.#options.changed({ state: "over", reason });
  }
}
