/**
 * Seconds of a world's recording with pseudonyms for everybody but one player. The saved state, the players who join and what they sent have
 * others' names, chat and looks in them; these are replaced, and the world plays the seconds again and is recorded anew. Rules do not
 * look at names, so the verdicts are the same.
 */
import type { PlayerId } from "wirewalk/motion";
import { type Joining, openScrubber, type Protocol, Pseudonyms, type Scrubber, type World } from "wirewalk/protocol";
import { decodeCbor } from "../cbor-reader.ts";
import { encodeCbor } from "../cbor-writer.ts";
import { type KeyFrame, RECORD_HEADER_BYTES, RecordKind, readWorldRecord, type WorldRecord } from "../profile.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { Replay, type ReplayOptions } from "../replay/replay.ts";
import type { FileMeans } from "../writing/file-means.ts";
import { HostRecording } from "../writing/host-recording.ts";
import { MemoryOutput } from "../writing/memory-output.ts";
import type { RecordedHost } from "../writing/recording-options.ts";

export interface HideNamesOptions extends Required<Pick<ReplayOptions, "protocols" | "fromNs" | "toNs">> {
  readonly maps?: ReplayOptions["maps"];
  /** The account that keeps its name. */
  readonly account: string | undefined;
  readonly means: FileMeans;
}

/** The bytes of the recording. Throws `RangeError` as a replay does, and for a game whose personal data is not known. */
export async function hideNames(recording: Recording, options: HideNamesOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { protocols, maps, fromNs, toNs, account, means } = options;
  const output = new MemoryOutput("case");
  const names = new Names(protocols, account);
  let recorder: HostRecording | undefined;
  const again = new AgainRecorded();
  const replay = new Replay(recording, {
    protocols,
    maps,
    fromNs,
    toNs,
    changed: (message) => names.changed(message),
    onBegin: (world, frame) => {
      if (recorder !== undefined) throw new RangeError("Cannot hide names: records are missing in these seconds");
      again.begin(world, frame);
      const { protocol, dialect, seed, enforcement, demo, shadow = false, tickMs, responses, session } = frame.world;
      const game = replay.protocol ?? (protocols[protocol] as Protocol);
      const { nowMs, epochMs } = frame;
      recorder = new HostRecording(
        {
          host: again,
          protocol: game,
          world: {
            dialect,
            seed,
            enforcement,
            demo,
            shadow,
            ...(tickMs === undefined ? {} : { tickMs }),
            ...(responses === undefined ? {} : { responses }),
            ...(frame.world.maps === undefined || maps === undefined ? {} : { maps }),
          },
          ...(session === undefined ? {} : { session }),
          sink: { open: async () => output },
          nowMs,
          epochNow: () => epochMs,
          // One key frame at the beginning is enough, and tracks come from the replay.
          keyFrameMs: Number.POSITIVE_INFINITY,
          tracksMs: 0,
        },
        means,
      );
    },
    onCall: (call) => again.call(call),
    onEffect: (effect, payload) => again.recorder?.effect(effect, payload),
  });
  for (const _ of replay.steps()) {
    // All of it.
  }
  if (recorder === undefined) throw new RangeError("Cannot hide names: the recording has no key frame of that time");
  await recorder.close();
  return output.bytes;
}

/** A program that makes all calls to the replayed world. */
class AgainRecorded implements RecordedHost {
  recorder: HostRecording | undefined;
  readonly players = new Map<PlayerId, Joining>();
  #world: World | undefined;
  readonly #rooms = new Map<PlayerId, string | undefined>();

  get world(): World {
    if (this.#world === undefined) throw new Error("Cannot happen: recorded before the world was made");
    return this.#world;
  }

  begin(world: World, { players }: KeyFrame): void {
    this.#world = world;
    for (const { player, joining, room } of players) {
      this.players.set(player, joining);
      this.#rooms.set(player, room);
    }
  }

  roomOf(player: PlayerId): string | undefined {
    return this.#rooms.get(player);
  }

  tracks(): readonly [] {
    return [];
  }

  call({ kind, player, nowMs, body }: WorldRecord): void {
    const { recorder } = this;
    if (recorder === undefined) return;
    if (kind === RecordKind.join) recorder.join(player, decodeCbor(body) as Joining, nowMs);
    else if (kind === RecordKind.leave) recorder.leave(player, nowMs);
    else if (kind === RecordKind.message) recorder.receive(player, body, nowMs);
    else if (kind === RecordKind.observed) recorder.observed(player, body, nowMs);
    else if (kind === RecordKind.refresh) recorder.refresh(player, nowMs);
    else if (kind === RecordKind.follow) recorder.follow(player, nowMs);
    else if (kind === RecordKind.unfollow) recorder.unfollow(player);
    else if (kind === RecordKind.tick) recorder.tick(nowMs);
  }
}

/** The pseudonyms of others, and data with these in the place of names. */
class Names {
  readonly #protocols: Readonly<Record<string, Protocol>>;
  readonly #account: string | undefined;
  readonly #pseudonyms = new Pseudonyms();
  /** Names and accounts of others, with what replaces them. */
  readonly #replaced = new Map<string, string>();
  readonly #players = new Map<PlayerId, { readonly isKept: boolean; readonly scrubber: Scrubber }>();
  #open: (isKept: boolean) => Scrubber = () => {
    throw new RangeError("Cannot hide names: a record stands before the first key frame");
  };
  #hasBegun = false;

  constructor(protocols: Readonly<Record<string, Protocol>>, account: string | undefined) {
    this.#protocols = protocols;
    this.#account = account;
  }

  changed({ topic, schema, data }: RecordedMessage): Uint8Array {
    if (topic.endsWith("/key-frames")) return this.#hasBegun ? data : this.#frame(data);
    return schema === "wirewalk.Record" && this.#hasBegun ? this.#record(data) : data;
  }

  #frame(data: Uint8Array): Uint8Array {
    const frame = decodeCbor(data) as KeyFrame;
    const game = this.#protocols[frame.world.protocol];
    // The replay says what is unknown.
    if (game === undefined) return data;
    this.#hasBegun = true;
    const { dialect } = frame.world;
    const pseudonyms = this.#pseudonyms;
    this.#open = (isKept) => openScrubber(game, { dialect, whose: isKept ? "others" : "all", pseudonyms });
    for (const { player, joining } of frame.players) this.#add(player, joining);
    const saved = replacedTexts(frame.saved, this.#replaced);
    const players = frame.players.map((each) => ({ ...each, joining: this.#joining(each.joining) }));
    return encodeCbor({ ...frame, saved, players, channels: new Map() });
  }

  #record(data: Uint8Array): Uint8Array {
    const record = readWorldRecord(data);
    if (record === undefined) return data;
    const { kind, player, body } = record;
    if (kind === RecordKind.join) {
      const joining = decodeCbor(body) as Joining;
      this.#add(player, joining);
      return withBody(data, encodeCbor(this.#joining(joining)));
    }
    const isMessage = kind === RecordKind.message;
    const known = this.#players.get(player);
    if ((!isMessage && kind !== RecordKind.observed) || known === undefined || body.length === 0) return data;
    if (isMessage && known.isKept) return data;
    const scrubbed = known.scrubber.scrub(isMessage ? "client" : "server", body);
    return scrubbed === body ? data : withBody(data, scrubbed);
  }

  #add(player: PlayerId, { account, name }: Joining): void {
    const isKept = account === this.#account;
    this.#players.set(player, { isKept, scrubber: this.#open(isKept) });
    if (isKept) return;
    const pseudonym = this.#pseudonyms.of(name);
    for (const text of [name, account]) if (text !== "") this.#replaced.set(text, pseudonym);
  }

  #joining(joining: Joining): Joining {
    const { account, name } = joining;
    if (account === this.#account) return joining;
    const of = (text: string): string => this.#replaced.get(text) ?? text;
    return { ...joining, account: of(account), name: of(name) };
  }
}

function withBody(data: Uint8Array, body: Uint8Array): Uint8Array {
  const changed = new Uint8Array(RECORD_HEADER_BYTES + body.length);
  changed.set(data.subarray(0, RECORD_HEADER_BYTES));
  changed.set(body, RECORD_HEADER_BYTES);
  return changed;
}

/** Plain data with other texts in the place of some, also as names of members. */
function replacedTexts<T>(value: T, texts: ReadonlyMap<string, string>): T {
  const replaced = (each: unknown): unknown => {
    if (typeof each === "string") return texts.get(each) ?? each;
    if (typeof each !== "object" || each === null || ArrayBuffer.isView(each)) return each;
    if (Array.isArray(each)) return each.map(replaced);
    if (each instanceof Map) return new Map([...each].map(([key, item]) => [replaced(key), replaced(item)]));
    if (each instanceof Set) return new Set([...each].map(replaced));
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [texts.get(key) ?? key, replaced(item)]));
  };
  return replaced(value) as T;
}
