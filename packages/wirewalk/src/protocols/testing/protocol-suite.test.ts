/** The suite itself: the sound fake keeps every rule, and each fake that breaks one fails that one. */
import { describe, expect, it } from "vitest";
import type { PlayerId, Track } from "../../motion/index.ts";
import { WireError } from "../../wire/index.ts";
import type { Channel, ChannelOptions, SavedChannel, Side } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import type { Effect, Joining, Refusal, SavedWorld, WorldOptions } from "../world.ts";
import type { FakeClientMessage, FakeServerMessage } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";
import { FakeWorld } from "./fake-world.ts";
import { describeProtocol, dialectRules, protocolRules } from "./protocol-suite.ts";
import type { SuiteOptions } from "./subject.ts";

type Fake = Protocol<FakeClientMessage, FakeServerMessage>;
type Effects = readonly Effect<FakeServerMessage>[];

/** Refused steps are counted, and enough of them end in a ban. */
const options: SuiteOptions = {
  durationMs: 3000,
  rooms: [undefined, "2"],
  countedOnRefusal: ["leaps"],
  correctedTo(message, player) {
    const { message: name, value } = message as FakeServerMessage;
    return name === "stepped" ? { x: player + value.x, y: 0 } : undefined;
  },
};

describeProtocol({ describe, it }, fakeProtocol, options);

/** The fake with another world. */
function withWorld(createWorld: (options: WorldOptions) => FakeWorld): Fake {
  return { ...fakeProtocol, createWorld };
}

/** The fake with a world whose effects are changed on their way out. */
function withEffects(change: (effects: Effects) => Effects): Fake {
  return withWorld(
    (world) =>
      new (class extends FakeWorld {
        override takeEffects(): Effects {
          return change(super.takeEffects());
        }
      })(world),
  );
}

/** The fake with effects that are changed by the place that the last message claimed; or with one more, where `more`. */
function withClaims(change: (effect: Effects[number], x: number) => Effects[number], more = false): Fake {
  return withWorld(
    (world) =>
      new (class extends FakeWorld {
        #x = 0;

        override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
          if (message.message === "step") this.#x = message.value.x;
          super.receive(id, message, payload, nowMs);
        }

        override takeEffects(): Effects {
          return super.takeEffects().flatMap((effect) => {
            const changed = change(effect, this.#x);
            return more && changed !== effect ? [effect, changed] : [changed];
          });
        }
      })(world),
  );
}

/** The fake with a world whose saved state is changed. */
function withSaved(change: (state: Record<string, unknown>) => object): Fake {
  return withWorld(
    (world) =>
      new (class extends FakeWorld {
        override save(): SavedWorld {
          const saved = super.save();
          return { ...saved, state: change({ ...saved.state }) };
        }
      })(world),
  );
}

/** The fake with players whose saved form is changed. */
function withSavedPlayers(change: (player: Record<string, unknown>) => void): Fake {
  return withSaved((state) => {
    for (const player of state.players as Record<string, unknown>[]) change(player);
    return state;
  });
}

/** The fake with channels that are changed. */
function withChannel(change: (channel: Channel, options: ChannelOptions) => Partial<Channel>): Fake {
  const openChannel = (channelOptions: ChannelOptions): Channel => {
    const channel = fakeProtocol.openChannel(channelOptions as ChannelOptions & { side: "server" }) as Channel;
    const wrapped = {
      ...(channel.handshake === undefined ? {} : { handshake: channel.handshake }),
      sharesFrames: channel.sharesFrames,
      get pendingBytes() {
        return channel.pendingBytes;
      },
      push: (bytes: Uint8Array) => channel.push(bytes),
      next: () => channel.next(),
      write: (message: never) => channel.write(message),
      frame: (payload: Uint8Array) => channel.frame(payload),
      save: () => channel.save(),
      restore: (saved: SavedChannel) => channel.restore(saved),
    };
    return Object.defineProperties(
      wrapped,
      Object.getOwnPropertyDescriptors(change(channel, channelOptions)),
    ) as Channel;
  };
  return { ...fakeProtocol, openChannel: openChannel as Fake["openChannel"] };
}

function withCodec(change: (codec: ReturnType<Fake["codec"]>) => Partial<ReturnType<Fake["codec"]>>): Fake {
  return {
    ...fakeProtocol,
    codec: (dialect) => ({ ...fakeProtocol.codec(dialect), ...change(fakeProtocol.codec(dialect)) }),
  };
}

let calls = 0;

class Instance {
  readonly hands = 2;
}

interface Broken {
  readonly what: string;
  readonly rule: string;
  readonly protocol: Fake;
  /** What the suite says of it. */
  readonly says: RegExp;
  readonly dialect?: string;
}

const codecBytes = "any bytes are a message that encodes back, or are refused";
const codecTable = "reads what its table of messages names";
const streams = "streams arrive whole, however they are cut";
const channelSaved = "a channel saved at any byte goes on as the one that was not";
const sealing = "frames that are prepared and sealed are those of the channel";
const channelForeign = "a channel refuses the state of another";
const ids = "ids are integers from 1 to 65535, each used once";
const capacity = "takes as many players as its capacity";
const rooms = "refuses rooms that it does not have";
const unknownPlayers = "ignores unknown players";
const determinism = "follows from its seed and its calls";
const plainEffects = "gives plain effects, once, and leaves them alone";
const ownership = "copies the payload bytes that it keeps";
const exits = "exits and hides what it entered and showed";
const questions = "changes nothing when it is asked";
const enforcement = "neither corrects nor bans with enforcement log";
const refusals = "changes nothing when it refuses a message";
const corrections = "corrects to what it believed, whatever was claimed";
const anyOrder = "takes any message in any order";
const goesOn = "saved and restored at any moment, goes on as the world that was not";
const savedShape = "is saved as plain data that names protocol and dialect";
const savedOptions = "refuses the saved world of other options";
const savedForeign = "refuses what is no saved world of its own";

const broken: readonly Broken[] = [
  {
    what: "a saved world that shares data with its world",
    rule: goesOn,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          readonly #outline = { fake: "world" };

          override save(): SavedWorld {
            const saved = super.save();
            return { ...saved, state: { ...saved.state, outline: this.#outline } };
          }

          override restore(saved: SavedWorld): void {
            const { outline, ...state } = saved.state as Record<string, unknown>;
            super.restore({ ...saved, state });
            Object.assign(this.#outline, outline);
          }
        })(world),
    ),
    says: /a saved world shares data with its world/,
  },
  {
    what: "a codec that writes other bytes than it has read",
    rule: codecBytes,
    protocol: withCodec((codec) => ({
      write(side: Side, message: FakeClientMessage | FakeServerMessage) {
        if (message.message !== "count") return codec.write(side, message);
        return codec.write(side, { message: "count", value: { number: (message.value.number + 1) & 0xff } });
      },
    })),
    says: /is written back as/,
  },
  {
    what: "a codec that throws something else than WireError",
    rule: codecBytes,
    protocol: withCodec((codec) => ({
      read(side: Side, payload: Uint8Array): never {
        if (payload.length > 20) throw new TypeError("too long");
        return codec.read(side, payload) as never;
      },
    })),
    says: /too long/,
  },
  {
    what: "a codec whose JSON loses a field",
    rule: codecBytes,
    protocol: withCodec((codec) => ({
      fromJson: (side, json) => codec.fromJson(side, json.message === "step" ? { ...json, value: { x: 1 } } : json),
    })),
    says: /by way of JSON/,
  },
  {
    what: "a trace that takes what is refused",
    rule: codecBytes,
    protocol: withCodec(() => ({ trace: () => ({ fields: [] }) })),
    says: /trace and read disagree/,
  },
  {
    what: "a message that is not in the table",
    rule: codecTable,
    protocol: withCodec((codec) => ({ messages: codec.messages.filter(({ message }) => message !== "step") })),
    says: /step of the client is not in the table/,
  },
  {
    what: "a channel that loses what comes with half a frame",
    rule: streams,
    protocol: withChannel((channel) => ({
      push: (bytes) => (channel.pendingBytes > 0 && bytes.length > 5 ? undefined : channel.push(bytes)),
    })),
    says: /are left of|arrive as|breaks/,
  },
  {
    what: "a channel that holds more than it was given",
    rule: streams,
    protocol: withChannel((channel) => ({
      get pendingBytes() {
        return channel.pendingBytes * 1000;
      },
    })),
    says: /bytes are (left|held) of/,
  },
  {
    what: "a channel that is saved without its half frame",
    rule: channelSaved,
    protocol: withChannel((channel) => ({
      save() {
        const saved = channel.save();
        return { ...saved, state: { ...saved.state, held: new Uint8Array() } };
      },
    })),
    says: /restored at byte/,
  },
  {
    what: "a channel that is saved without the payloads that wait",
    rule: channelSaved,
    protocol: withChannel((channel) => ({
      save() {
        const saved = channel.save();
        return { ...saved, state: { ...saved.state, ready: [], waiting: [] } };
      },
    })),
    says: /restored at byte/,
  },
  {
    what: "a sending channel that forgets where its cipher was",
    rule: channelSaved,
    protocol: withChannel((channel) => {
      let frames = 0;
      return {
        frame(payload) {
          frames += 1;
          return Uint8Array.of(frames, ...channel.frame(payload));
        },
      };
    }),
    says: /a frame of a restored/,
  },
  {
    what: "a channel that seals the first of several frames alone",
    rule: sealing,
    protocol: withChannel((channel) => ({
      sharesFrames: false,
      sealing: {
        prepare: (payload) => channel.frame(payload),
        seal: (prepared, into) => into.set(prepared.subarray(0, 2 + (prepared[0] ?? 0))),
      },
    })),
    says: /sealed frames of a/,
  },
  {
    what: "a channel that seals in the memory of prepared frames",
    rule: sealing,
    protocol: withChannel((channel) => ({
      sharesFrames: false,
      sealing: {
        prepare: (payload) => channel.frame(payload),
        seal(prepared, into) {
          into.set(prepared);
          prepared.fill(0);
        },
      },
    })),
    says: /prepared frames of a .* that sealed them/,
  },
  {
    what: "a channel that seals frames which it shares",
    rule: sealing,
    protocol: withChannel((channel) => ({
      sealing: { prepare: (payload) => channel.frame(payload), seal: (prepared, into) => into.set(prepared) },
    })),
    says: /shares frames and still seals them/,
  },
  {
    what: "a channel that takes the state of another",
    rule: channelForeign,
    protocol: withChannel((channel) => ({
      restore: (saved) => channel.restore({ ...saved, channel: channel.save().channel }),
    })),
    says: /restore of another\/dialect.* throws nothing/,
  },
  {
    what: "a world that takes player 0",
    rule: ids,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override join(id: PlayerId, joining: Joining): void {
            super.join(id === 0 ? 9 : id, joining);
          }
        })(world),
    ),
    says: /join\(0\) throws nothing/,
  },
  {
    what: "a world that takes half players",
    rule: ids,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override join(id: PlayerId, joining: Joining): void {
            super.join(Math.floor(id), joining);
          }
        })(world),
    ),
    says: /join\(1\.5\) throws nothing/,
  },
  {
    what: "a world that takes an id twice",
    rule: ids,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override join(id: PlayerId, joining: Joining): void {
            super.leave(id);
            super.join(id, joining);
          }
        })(world),
    ),
    says: /a second join\(1\) throws nothing/,
  },
  {
    what: "a world that lets in whom it refuses",
    rule: ids,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override join(id: PlayerId, joining: Joining): void {
            try {
              super.join(id, joining);
            } finally {
              this.count(id);
            }
          }

          count(id: PlayerId): void {
            super.follow(id);
          }
        })(world),
    ),
    says: /a second join\(1\) gives/,
  },
  {
    what: "a world that takes one player more than it says",
    rule: capacity,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override readonly capacity = 1999 as 2000;
        })(world),
    ),
    says: /a full world takes one more/,
  },
  {
    what: "a world that takes fewer players than it says",
    rule: capacity,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override readonly capacity = 2001 as 2000;
        })(world),
    ),
    says: /player 2001 of 2001 is refused/,
  },
  {
    what: "a world that has any room",
    rule: rooms,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override refuses(): Refusal | undefined {
            return undefined;
          }
        })(world),
    ),
    says: /room "" is let in/,
  },
  {
    what: "a world that refreshes nobody",
    rule: unknownPlayers,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override refresh(id: PlayerId): void {
            super.refresh(id === 2 ? 1 : id);
          }
        })(world),
    ),
    says: /refresh of an unknown player gives/,
  },
  {
    what: "a world with a memory outside of itself",
    rule: determinism,
    protocol: withEffects((effects) => {
      calls += 1;
      const text = String(calls);
      return effects.length === 0 ? [] : [...effects, { effect: "close", player: 1, reason: text }];
    }),
    says: /Effects of call 0/,
  },
  {
    what: "a bot with chance of its own",
    rule: determinism,
    protocol: {
      ...fakeProtocol,
      bots: {
        cheats: fakeProtocol.bots.cheats,
        create(botOptions) {
          calls += 1;
          const number = calls & 0xff;
          const count: FakeClientMessage = { message: "count", value: { number } };
          return {
            ...fakeProtocol.bots.create(botOptions),
            stepMs: 50,
            start: () => [count],
            receive: () => [],
            step: () => [],
          };
        },
      },
    },
    says: /of a second play from the same seed/,
  },
  {
    what: "a getter in an effect",
    rule: plainEffects,
    protocol: withEffects((effects) =>
      effects.map((effect) => {
        if (effect.effect !== "observe") return effect;
        const { data } = effect;
        return {
          ...effect,
          get data() {
            return data;
          },
        };
      }),
    ),
    says: /not plain data: \[\d+\]\.data: a getter or setter/,
  },
  {
    what: "an instance in an effect",
    rule: plainEffects,
    protocol: withEffects((effects) =>
      effects.map((effect) =>
        effect.effect === "observe" ? { ...effect, data: { ...new Instance() }, of: Instance } : effect,
      ),
    ),
    says: /\.of: a function/,
  },
  {
    what: "effects that are given twice",
    rule: plainEffects,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #last: Effects = [];

          override takeEffects(): Effects {
            const effects = super.takeEffects();
            const given = effects.length === 0 ? this.#last : effects;
            this.#last = effects;
            return given;
          }
        })(world),
    ),
    says: /are given twice/,
  },
  {
    what: "a list of effects that goes on growing",
    rule: plainEffects,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #last: Effect<FakeServerMessage>[] = [];

          override takeEffects(): Effects {
            const effects = [...super.takeEffects()];
            this.#last.push(...effects);
            this.#last = effects;
            return effects;
          }
        })(world),
    ),
    says: /were changed after they were taken/,
  },
  {
    what: "a verdict with the caller's bytes",
    rule: ownership,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #payload: Uint8Array = new Uint8Array();

          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            this.#payload = payload;
          }

          override takeEffects(): Effects {
            return super.takeEffects().map((effect) => {
              if (effect.effect !== "verdict") return effect;
              return { ...effect, verdict: { ...effect.verdict, message: this.#payload } };
            });
          }
        })(world),
    ),
    says: /165 165/,
  },
  {
    what: "a world that writes into the payload",
    rule: ownership,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            payload.reverse();
          }
        })(world),
    ),
    says: /changes the payload/,
  },
  {
    what: "a world whose leave emits no exit",
    rule: exits,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #isLeaving = false;

          override leave(id: PlayerId): void {
            super.leave(id);
            this.#isLeaving = true;
          }

          override takeEffects(): Effects {
            const isLeaving = this.#isLeaving;
            this.#isLeaving = false;
            return super.takeEffects().filter(({ effect }) => !(isLeaving && effect === "exit"));
          }
        })(world),
    ),
    says: /no exit of player \d+ from room|enters .* from within a room/,
  },
  {
    what: "a world that hides nobody",
    rule: exits,
    protocol: withEffects((effects) => effects.filter(({ effect }) => effect !== "hide")),
    says: /no hide of player|rooms\(\) after call/,
  },
  {
    what: "a world that enters without having exited",
    rule: exits,
    protocol: withEffects((effects) =>
      effects.some(({ effect }) => effect === "enter") ? effects.filter(({ effect }) => effect !== "exit") : effects,
    ),
    says: /from within a room/,
  },
  {
    what: "a world that sends to players who are gone",
    rule: exits,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #left: PlayerId | undefined;

          override leave(id: PlayerId): void {
            super.leave(id);
            this.#left = id;
          }

          override tick(nowMs: number): void {
            super.tick(nowMs);
            this.#say();
          }

          #isSaying = false;
          #say(): void {
            this.#isSaying = this.#left !== undefined;
          }

          override takeEffects(): Effects {
            const effects = super.takeEffects();
            if (!this.#isSaying || this.#left === undefined) return effects;
            this.#isSaying = false;
            return [...effects, { effect: "send", to: this.#left, message: { message: "state", value: { text: "" } } }];
          }
        })(world),
    ),
    says: /send of player \d+, who is not there/,
  },
  {
    what: "rooms() that forgets who is shown",
    rule: exits,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override rooms(): ReadonlyMap<string, number> {
            return new Map([...super.rooms()].filter(([room]) => room !== "mirror"));
          }
        })(world),
    ),
    says: /rooms\(\) after call/,
  },
  {
    what: "tracks of a room where the player is not",
    rule: exits,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override tracks(nowMs: number, room?: string): readonly Track[] {
            return super.tracks(nowMs, room).map((track) => ({ ...track, room: "elsewhere" }));
          }
        })(world),
    ),
    says: /a track of player \d+ in elsewhere/,
  },
  {
    what: "a world that changes when it is looked at",
    rule: questions,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override tracks(nowMs: number, room?: string): readonly Track[] {
            for (const { player } of super.tracks(nowMs, room)) super.follow(player);
            return super.tracks(nowMs, room);
          }
        })(world),
    ),
    says: /Effects of call/,
  },
  {
    what: "a world that bans where it should only log",
    rule: enforcement,
    protocol: withWorld((world) => new FakeWorld({ ...world, enforcement: "enforce" })),
    says: /enforcement log bans/,
  },
  {
    what: "a world that corrects where it should only log",
    rule: enforcement,
    protocol: withEffects((effects) =>
      effects.map((effect) =>
        effect.effect === "verdict" && effect.verdict.rule === "leap"
          ? { ...effect, verdict: { ...effect.verdict, kind: "correct" } }
          : effect,
      ),
    ),
    says: /enforcement log corrects: leap/,
  },
  {
    what: "a world that flags nothing where it should only log",
    rule: enforcement,
    protocol: withEffects((effects) =>
      effects.flatMap((effect): Effects => {
        if (effect.effect !== "verdict" || effect.verdict.rule !== "leap") return [effect];
        return effect.verdict.kind === "flag" ? [] : [{ ...effect, verdict: { ...effect.verdict, kind: "correct" } }];
      }),
    ),
    says: /leap corrects when it is enforced, and flags nothing/,
  },
  {
    what: "a world that moves whom it refuses",
    rule: refusals,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          readonly #x = new Map<PlayerId, number>();

          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            if (message.message === "step") this.#x.set(id, message.value.x);
          }

          override save(): SavedWorld {
            const saved = super.save();
            return { ...saved, state: { ...saved.state, x: new Map(this.#x) } };
          }
        })(world),
    ),
    says: /the refused message of call .* changes state\.x/,
  },
  {
    what: "a world that passes on what it refuses",
    rule: refusals,
    protocol: withEffects((effects) =>
      effects.flatMap((effect): Effects => {
        if (effect.effect !== "verdict" || effect.verdict.rule !== "leap") return [effect];
        const message: FakeServerMessage = { message: "stepped", value: { player: 1, x: 1 } };
        return [effect, { effect: "broadcast", room: "1", except: effect.verdict.player, message }];
      }),
    ),
    says: /is sent to others/,
  },
  {
    what: "a world that goes where it refuses to go",
    rule: corrections,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            if (message.message !== "step") return;
            const saved = this.save();
            const { players } = saved.state as { players: { id: PlayerId; x: number }[] };
            for (const player of players) if (player.id === id) player.x = message.value.x;
            this.restore(saved);
          }
        })(world),
    ),
    says: /is corrected to .*, and the player is at/,
  },
  {
    what: "a world that keeps what it corrects",
    rule: corrections,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            if (message.message !== "step") return;
            const saved = this.save();
            const { players } = saved.state as { players: { id: PlayerId; shownIn: Set<string> }[] };
            for (const player of players) if (player.id === id) player.shownIn.add(`place ${message.value.x}`);
            this.restore(saved);
          }
        })(world),
    ),
    says: /changes the world by what it claimed: state\.players/,
  },
  {
    what: "a world that corrects to what was claimed",
    rule: corrections,
    protocol: withClaims((effect, x) =>
      effect.effect === "send" && effect.message.message === "stepped"
        ? { ...effect, message: { message: "stepped", value: { ...effect.message.value, x } } }
        : effect,
    ),
    says: /is corrected to .*, and the player is at/,
  },
  {
    what: "a world that relays what it corrects",
    rule: corrections,
    protocol: withClaims((effect, x) => {
      if (effect.effect !== "verdict" || effect.verdict.kind !== "correct") return effect;
      const message: FakeServerMessage = { message: "stepped", value: { player: 1, x } };
      return { effect: "broadcast", room: "1", except: effect.verdict.player, message };
    }, true),
    says: /The effects of the corrected message of call .* depend on what it claimed/,
  },
  {
    what: "a world that corrects to another place than the player's",
    rule: corrections,
    protocol: withEffects((effects) =>
      effects.map((effect) =>
        effect.effect === "send" && effect.message.message === "stepped"
          ? { ...effect, message: { message: "stepped", value: { ...effect.message.value, x: 9 } } }
          : effect,
      ),
    ),
    says: /is corrected to \{"x":\d+,"y":0\}, and the player is at/,
  },
  {
    what: "a world that refuses and sends no correction",
    rule: corrections,
    protocol: withEffects((effects) =>
      effects.filter((effect) => effect.effect !== "send" || effect.message.message !== "stepped"),
    ),
    says: /is answered with no correction/,
  },
  {
    what: "a world that says what cannot be written",
    rule: anyOrder,
    protocol: withEffects((effects) =>
      effects.map((effect) =>
        effect.effect === "send" && effect.message.message === "counted"
          ? { ...effect, message: { message: "counted", value: { number: 256 } } }
          : effect,
      ),
    ),
    says: /256/,
  },
  {
    what: "tracks without a place",
    rule: anyOrder,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override tracks(nowMs: number, room?: string): readonly Track[] {
            return super.tracks(nowMs, room).map((track) => ({ ...track, position: { x: Number.NaN, y: 0 } }));
          }
        })(world),
    ),
    says: /a track without a place/,
  },
  {
    what: "a world that throws at a message",
    rule: anyOrder,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            if (nowMs > 60_000 && message.message === "step") throw new Error("no more steps");
            super.receive(id, message, payload, nowMs);
          }
        })(world),
    ),
    says: /no more steps/,
  },
  {
    what: "a world that is saved without its randomness",
    rule: goesOn,
    protocol: withSaved((state) => ({ ...state, random: 1 })),
    says: /Effects of call|has another digest/,
  },
  {
    what: "a world that is saved without the effects that wait",
    rule: goesOn,
    protocol: withSaved((state) => ({ ...state, effects: [] })),
    says: /Effects of call/,
  },
  {
    what: "a world that is saved without what is to be said later",
    rule: goesOn,
    protocol: withSavedPlayers((player) => {
      player.later = [];
    }),
    says: /Effects of call/,
  },
  {
    what: "a world that is saved without what it has counted",
    rule: goesOn,
    protocol: withSavedPlayers((player) => {
      player.leaps = [];
    }),
    says: /Effects of call/,
  },
  {
    what: "a world that is saved without the order of its rooms",
    rule: goesOn,
    protocol: withSaved((state) => ({
      ...state,
      rooms: (state.rooms as readonly (readonly [string, readonly PlayerId[]])[]).map(([name, list]) => [
        name,
        list.toSorted((a, b) => b - a),
      ]),
    })),
    says: /Effects of call|has another digest/,
  },
  {
    what: "a saved world that shares with its world",
    rule: goesOn,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          readonly #seen: number[] = [];

          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            this.#seen.push(nowMs);
          }

          override save(): SavedWorld {
            const saved = super.save();
            return { ...saved, state: { ...saved.state, seen: this.#seen } };
          }

          override restore(saved: SavedWorld): void {
            const { seen, ...state } = saved.state as { seen: number[] };
            super.restore({ ...saved, state });
            this.#seen.splice(0, this.#seen.length, ...seen);
          }
        })(world),
    ),
    says: /a saved world (changes while its world plays on|shares data with its world)/,
  },
  {
    what: "a restored world that shares with what it was restored from",
    rule: goesOn,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          #seen: number[] = [];

          override receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
            super.receive(id, message, payload, nowMs);
            this.#seen.push(nowMs);
          }

          override save(): SavedWorld {
            const saved = super.save();
            return { ...saved, state: { ...saved.state, seen: [...this.#seen] } };
          }

          override restore(saved: SavedWorld): void {
            const { seen, ...state } = saved.state as { seen: number[] };
            super.restore({ ...saved, state });
            this.#seen = seen;
          }
        })(world),
    ),
    says: /The digest after call/,
  },
  {
    what: "a world that keeps what it had when it is restored",
    rule: goesOn,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            const kept = super.save().state as { readonly followed: readonly PlayerId[] };
            const state = saved.state as { readonly followed: readonly PlayerId[] };
            super.restore({
              ...saved,
              state: { ...state, followed: [...new Set([...state.followed, ...kept.followed])] },
            });
          }
        })(world),
    ),
    says: /has another digest|Effects of call/,
  },
  {
    what: "a digest of something else",
    rule: goesOn,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override digest(): bigint {
            return 5n;
          }
        })(world),
    ),
    says: /digest\(\) is not the digest of save\(\)/,
  },
  {
    what: "a function in a saved world",
    rule: savedShape,
    protocol: withSaved((state) => ({ ...state, effects: [() => 1] })),
    says: /not plain data: \.state\.effects\[0\]: a function|Cannot digest/,
  },
  {
    what: "a saved world with another name",
    rule: savedShape,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override save(): SavedWorld {
            return { ...super.save(), world: "fake" };
          }
        })(world),
    ),
    says: /a saved world is of fake, expected fake\/plain/,
  },
  {
    what: "a world that takes any schema",
    rule: savedForeign,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            super.restore({ ...saved, schema: 1 });
          }
        })(world),
    ),
    says: /schema 2 throws nothing/,
  },
  {
    what: "a world that takes another dialect's state",
    rule: savedForeign,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            super.restore({ ...saved, world: saved.world.replace("another", "plain") });
          }
        })(world),
    ),
    says: /restore of fake\/another, schema 1 throws nothing/,
  },
  {
    what: "a world that changes before it throws",
    rule: savedForeign,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            for (const id of this.followed) super.unfollow(id);
            for (const { player } of super.tracks(0)) super.leave(player);
            super.takeEffects();
            super.restore(saved);
          }
        })(world),
    ),
    says: /changes the world though it throws/,
  },
  {
    what: "a restore that throws something else",
    rule: savedForeign,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            try {
              super.restore(saved);
            } catch {
              throw new WireError("bad-value", "no", 0);
            }
          }
        })(world),
    ),
    says: /throws WireError.*, expected RangeError|throws Error: no, expected RangeError/,
  },
  {
    what: "a saved world that does not name an option",
    rule: savedOptions,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override save(): SavedWorld {
            return { ...super.save(), options: {} };
          }

          override restore(saved: SavedWorld): void {
            super.restore({ ...saved, options: super.save().options });
          }
        })(world),
    ),
    says: /in a world with another enforcement, which was accepted/,
  },
  {
    what: "a restore that does not say which option differs",
    rule: savedOptions,
    protocol: withWorld(
      (world) =>
        new (class extends FakeWorld {
          override restore(saved: SavedWorld): void {
            try {
              super.restore(saved);
            } catch {
              throw new RangeError("Cannot restore");
            }
          }
        })(world),
    ),
    says: /restore with another enforcement: Cannot restore/,
  },
];

describe.each(broken)("$what", ({ rule, protocol, says, dialect = "plain" }) => {
  it(`fails: ${rule}`, () => {
    const found = dialectRules(protocol, dialect, options).find(({ name }) => name === rule);
    expect(found).toBeDefined();
    expect(() => found?.check(1)).toThrow(says);
  });
});

const falls = (dialect: string): string =>
  fakeProtocol.dialects.some(({ name }) => name === dialect) ? dialect : "plain";

describe("a protocol that takes any dialect", () => {
  it.each<[string, Partial<Fake>]>([
    ["codec", { codec: (dialect) => fakeProtocol.codec(falls(dialect)) }],
    ["admission", { capabilities: { login: { admission: () => undefined } } }],
    ["createWorld", { createWorld: (world) => fakeProtocol.createWorld({ ...world, dialect: falls(world.dialect) }) }],
    [
      "createBot",
      { bots: { cheats: [], create: (bot) => fakeProtocol.bots.create({ ...bot, dialect: falls(bot.dialect) }) } },
    ],
    [
      "openChannel",
      {
        openChannel: ((channel: ChannelOptions & { side: "server" }) =>
          fakeProtocol.openChannel({ ...channel, dialect: falls(channel.dialect) })) as Fake["openChannel"],
      },
    ],
  ])("in %s fails", (member, change) => {
    const [rule] = protocolRules({ ...fakeProtocol, ...change });
    expect(() => rule?.check(1)).toThrow(`${member} of dialect "" `);
  });
});

it("a protocol without its default dialect fails", () => {
  const [, rule] = protocolRules({ ...fakeProtocol, defaultDialect: "polite" });
  expect(() => rule?.check(1)).toThrow("polite is not among");
});

it("every rule has a fake that breaks it", () => {
  const named = new Set(broken.map(({ rule }) => rule));
  expect(dialectRules(fakeProtocol, "plain").filter(({ name }) => !named.has(name))).toEqual([]);
});
