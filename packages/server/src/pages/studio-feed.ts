/** The page's feed at `/ws/studio`: a spectator feed whose pages are connected by WebSockets. */
import type { Clock } from "wirewalk/net";
import type { Ban } from "../bans/bans.ts";
import { SpectatorFeed } from "../feed/spectator-feed.ts";
import { frameBinary } from "../http/websocket-frames.ts";
import type { WorldObserver } from "../worlds/hosted-world.ts";
import { encode } from "./encode.ts";
import { type FeedConnection, type FeedContext, FeedSession } from "./feed-session.ts";
import { shownBans } from "./shown-bans.ts";

export class StudioFeed extends SpectatorFeed<FeedSession, Buffer> implements WorldObserver {
  /** `bans` gives those in force; `thread`: which of the server's threads this is, and how many it has. */
  constructor(clock: Clock, bans: () => readonly Ban[], thread?: { readonly index: number; readonly threads: number }) {
    super({
      clock,
      bans: () => {
        const inForce = bans();
        return (protocol) => shownBans(inForce, protocol);
      },
      text: encode,
      carry: frameBinary,
      ...(thread === undefined ? {} : { thread }),
    });
  }

  /** A page has connected. */
  open(connection: FeedConnection, context: FeedContext): FeedSession {
    const session = new FeedSession(connection, context, (from, text) => this.request(from, text));
    this.add(session);
    return session;
  }
}
