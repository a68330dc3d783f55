/** The sessions of a recording as those of other tools: what each client sent, and what it was sent. */
import type { SessionHeader, SessionRecord } from "wirewalk/capture";
import type { PlayerId } from "wirewalk/motion";
import type { Effect, Protocol, Side } from "wirewalk/protocol";
import type { RecordedWorld } from "../profile.ts";
import type { Recording } from "../reading/read-recording.ts";
import type { WorldSource } from "../replay/recorded-world.ts";
import { Replay, type ReplayGap } from "../replay/replay.ts";

/** A message of one session. */
export interface RecordedSessionRecord {
  /** Of the player, from 1, in the order of the recording. */
  readonly session: number;
  readonly name: string;
  readonly record: Omit<SessionRecord, "number" | "byteOffset">;
}

/** What is known of a recording when its last record was read. */
export interface RecordedSessionsEnd {
  readonly gaps: readonly ReplayGap[];
  readonly differences: number;
}

interface Player {
  readonly session: number;
  readonly name: string;
  room: string | undefined;
}

/**
 * Replays a recording. What a server of ours sent follows from its world, which makes the messages again; what another server sent was recorded.
 * Throws `RangeError` like {@link Replay}.
 */
export function* recordedSessions(
  recording: Recording,
  source: Pick<WorldSource, "protocols" | "maps">,
): Generator<RecordedSessionRecord, RecordedSessionsEnd, void> {
  const players = new Map<PlayerId, Player>();
  let sessions = 0;
  let epochMs = 0;
  let ready: RecordedSessionRecord[] = [];
  const playerOf = (id: PlayerId): Player => {
    const known = players.get(id);
    if (known !== undefined) return known;
    sessions += 1;
    const player: Player = { session: sessions, name: replay.players.get(id)?.name ?? `player ${id}`, room: undefined };
    players.set(id, player);
    return player;
  };
  const add = (id: PlayerId, sender: Side, payload: Uint8Array, nowMs: number): void => {
    const { session, name } = playerOf(id);
    ready.push({ session, name, record: { timeMs: epochMs + nowMs, sender, payload } });
  };
  const effect = (each: Effect, payload: Uint8Array | undefined, nowMs: number): void => {
    if (each.effect === "enter") playerOf(each.player).room = each.room;
    else if (each.effect === "exit") playerOf(each.player).room = undefined;
    else if (each.effect === "send" && payload !== undefined) add(each.to, "server", payload, nowMs);
    else if (each.effect === "broadcast" && payload !== undefined) {
      for (const [id, { room }] of players) {
        if (room === each.room && id !== each.except) add(id, "server", payload, nowMs);
      }
    }
  };
  const replay: Replay = new Replay(recording, {
    ...source,
    comparesStart: false,
    onBegin: (_world, frame) => {
      epochMs = frame.epochMs - frame.nowMs;
      for (const { player, room } of frame.players) playerOf(player).room = room;
    },
    onInput: (player, payload, nowMs) => add(player, "client", payload.slice(), nowMs),
    onObserved: (player, payload, nowMs) => add(player, "server", payload.slice(), nowMs),
    onEffect: effect,
  });
  while (replay.next() !== undefined) {
    // A player that leaves and joins again gets a new session.
    for (const id of players.keys()) if (!replay.players.has(id)) players.delete(id);
    yield* ready;
    ready = [];
  }
  const { gaps, differenceCount } = replay.report();
  return { gaps, differences: differenceCount };
}

/** The head of a session of a recording: that of the file of another tool that it was made of, where it was. */
export function recordedHeader(world: RecordedWorld, protocol: Protocol): SessionHeader {
  if (world.session !== undefined) return JSON.parse(world.session) as SessionHeader;
  const infos = protocol.capabilities?.settings?.values ?? {};
  const settings = Object.entries(world.settings).filter(([name]) => infos[name]?.kind === "game");
  return {
    format: "recording",
    protocol: world.protocol,
    dialect: world.dialect,
    settings: Object.fromEntries(settings),
    startMs: undefined,
    flow: "client-server",
    fields: {},
  };
}
