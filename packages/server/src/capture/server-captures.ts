/** The captures of a server, given its parts. */
import type { Logger } from "pino";
import type { PlayerId } from "wirewalk/motion";
import type { WebListeners } from "../http/web-listeners.ts";
import { Session } from "../session/session.ts";
import type { TcpListeners } from "../session/tcp-listeners.ts";
import type { HostedWorld } from "../worlds/hosted-world.ts";
import {
  type CapturedListener,
  type CapturedSession,
  SessionCaptures,
  type SessionCapturesOptions,
} from "./session-captures.ts";

export interface ServerParts extends Pick<SessionCapturesOptions, "clock" | "epochNow" | "runtime"> {
  /** Sessions of players, and others, which are not captured. */
  readonly sessions: ReadonlySet<object>;
  readonly worlds: ReadonlyMap<string, Pick<HostedWorld, "name" | "protocol" | "dialect">>;
  readonly tcp: Pick<TcpListeners, "running">;
  readonly web: Pick<WebListeners, "httpAddress">;
  readonly log: Logger;
}

export function serverCaptures({ sessions, worlds, tcp, web, log, ...ports }: ServerParts): SessionCaptures {
  return new SessionCaptures({
    ...ports,
    *sessions() {
      for (const session of sessions) if (session instanceof Session) yield captured(session, session.player);
    },
    listeners: () => [...worlds.values()].flatMap((world) => listenersOf(world, tcp.running, web.httpAddress)),
    onError: (error) => log.error({ err: error }, "a capture failed"),
  });
}

/** A session as captures know it. */
export function captured(
  { id, link, world, joinRequest, account }: Pick<Session, "id" | "link" | "world" | "joinRequest" | "account">,
  player: PlayerId | undefined,
): CapturedSession {
  const { name, protocol, dialect } = world;
  return { id, link, world: name, protocol: protocol.name, dialect, room: joinRequest.room, player, account };
}

function listenersOf(
  { name, protocol, dialect }: Pick<HostedWorld, "name" | "protocol" | "dialect">,
  running: TcpListeners["running"],
  web: WebListeners["httpAddress"],
): readonly CapturedListener[] {
  const places = running
    .filter(({ world }) => world === name)
    .map(({ host, port, room }) => `${host}:${port}${room === undefined ? "" : ` (room ${room})`}`);
  const game = { world: name, protocol: protocol.name, dialect, gamePort: protocol.defaultPort };
  const webPlace = web === undefined ? "" : `${web.host}:${web.port}/ws/${name}`;
  const listeners: readonly CapturedListener[] = [
    { ...game, carrier: "tcp", description: places.join(", ") },
    { ...game, carrier: "websocket", description: webPlace },
  ];
  return listeners.filter(({ description }) => description !== "");
}
