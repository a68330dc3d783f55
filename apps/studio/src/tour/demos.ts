/** What the buttons of the tour begin: a cheat of this page, or keys that the page presses while it plays. */

import type { ServedWorld } from "@wirewalk/server/feed";
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, systemClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { gameUrl } from "../app/game-url.ts";

/** A cheat leaves after this time: long enough for a score, which needs ten strokes. */
const CHEAT_MS = 60_000;

/** A key stays down so long. */
const KEY_MS = 700;

const WALK_MS = 20_000;

export interface CheatOf {
  readonly world: ServedWorld;
  readonly room: string;
  readonly protocol: PlayableProtocol;
  readonly cheat: string;
  /** Of the bot: two of one number would be the same player. */
  readonly number: number;
  readonly over: () => void;
}

/** Lets a bot join over a socket of its own. Gives what ends it; rejects when the server does not take it. */
export async function startCheat({ world, room, protocol, cheat, number, over }: CheatOf): Promise<() => void> {
  const { dialect, path, settings } = world;
  const game = protocol.capabilities?.settings?.configure(settings) ?? protocol;
  const account = `tour ${number}`;
  const transport = await connectWebSocket(gameUrl(window.location, path, { room, account, viewer: undefined }));
  const numbered = Number.isNaN(Number(room)) ? {} : { room: Number(room) };
  const bot = game.bots.create({ dialect, random: createRandom(number), number, cheat, ...numbered });
  const run = runBot({ protocol: game, dialect, transport, bot, clock: systemClock });
  const stop = (): void => {
    cancel();
    run.stop();
  };
  const cancel = systemClock.after(CHEAT_MS, () => {
    stop();
    over();
  });
  return stop;
}

/** Presses the keys of a game one after the other. Gives what ends it. */
export function pressKeys(codes: readonly string[], over: () => void): () => void {
  let down: string | undefined;
  let pressed = 0;
  const press = (type: "keydown" | "keyup", code: string): void => {
    window.dispatchEvent(new KeyboardEvent(type, { code, bubbles: true, cancelable: true }));
  };
  const release = (): void => {
    if (down !== undefined) press("keyup", down);
    down = undefined;
  };
  const next = (): void => {
    release();
    down = codes[pressed % codes.length];
    pressed += 1;
    if (down !== undefined) press("keydown", down);
  };
  const timer = setInterval(next, KEY_MS);
  const stop = (): void => {
    clearInterval(timer);
    cancel();
    release();
  };
  const cancel = systemClock.after(WALK_MS, () => {
    stop();
    over();
  });
  return stop;
}
