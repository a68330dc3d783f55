/** Worlds and bots that break a rule of the contract suite while they play. */
import type { PlayerId } from "../../motion/index.ts";
import type { Effect } from "../world.ts";
import {
  afterMessages,
  type BrokenProtocols,
  type Effects,
  type Fake,
  withClaims,
  withEachEffect,
  withEffects,
  withMembers,
  withWorld,
} from "./broken-protocol.ts";
import type { FakeClientMessage, FakeServerMessage } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";
import { FakeWorld } from "./fake-world.ts";

let calls = 0;

class Instance {
  readonly hands = 2;
}

/** The fake with a world whose corrections are to another place; undefined: to none. */
function withCorrections(placeOf: (x: number) => number | undefined): Fake {
  return withClaims((effect, claimed) => {
    if (effect.effect !== "send" || effect.message.message !== "stepped") return effect;
    const x = placeOf(claimed);
    if (x === undefined) return [];
    return { ...effect, message: { message: "stepped", value: { ...effect.message.value, x } } };
  });
}

/** The fake with verdicts on leaps that are changed, or come with more effects. */
function withLeaps(change: (effect: Extract<Effects[number], { effect: "verdict" }>) => Effects): Fake {
  return withEachEffect((effect) =>
    effect.effect === "verdict" && effect.verdict.rule === "leap" ? change(effect) : effect,
  );
}

/** The fake with a world that changes the player in its saved form by each place that it claims, accepted or not. */
function withStepped<Player>(change: (player: Player, x: number) => void): Fake {
  return afterMessages((world, id, message) => {
    if (message.message !== "step") return;
    const saved = world.save();
    const { players } = saved.state as { players: (Player & { id: PlayerId })[] };
    for (const player of players) if (player.id === id) change(player, message.value.x);
    world.restore(saved);
  });
}

const steppedTo = (x: number): FakeServerMessage => ({ message: "stepped", value: { player: 1, x } });

export const brokenWorlds: BrokenProtocols = {
  "ids are integers from 1 to 65535, each used once": [
    {
      what: "a world that takes player 0",
      protocol: withMembers((base) => ({ join: (id, joining) => base.join(id === 0 ? 9 : id, joining) })),
      says: /join\(0\) throws nothing/,
    },
    {
      what: "a world that takes half players",
      protocol: withMembers((base) => ({ join: (id, joining) => base.join(Math.floor(id), joining) })),
      says: /join\(1\.5\) throws nothing/,
    },
    {
      what: "a world that takes an id twice",
      protocol: withMembers((base) => ({
        join(id, joining) {
          base.leave(id);
          base.join(id, joining);
        },
      })),
      says: /a second join\(1\) throws nothing/,
    },
    {
      what: "a world that lets in whom it refuses",
      protocol: withMembers((base) => ({
        join(id, joining) {
          try {
            base.join(id, joining);
          } finally {
            base.follow(id);
          }
        },
      })),
      says: /a second join\(1\) gives/,
    },
  ],
  "takes as many players as its capacity": [
    {
      what: "a world that takes one player more than it says",
      protocol: withMembers(() => ({ capacity: 1999 as 2000 })),
      says: /a full world takes one more/,
    },
    {
      what: "a world that takes fewer players than it says",
      protocol: withMembers(() => ({ capacity: 2001 as 2000 })),
      says: /player 2001 of 2001 is refused/,
    },
  ],
  "refuses rooms that it does not have": [
    {
      what: "a world that has any room",
      protocol: withMembers(() => ({ refuses: () => undefined })),
      says: /room "" is let in/,
    },
  ],
  "ignores unknown players": [
    {
      what: "a world that refreshes nobody",
      protocol: withMembers((base) => ({ refresh: (id) => base.refresh(id === 2 ? 1 : id) })),
      says: /refresh of an unknown player gives/,
    },
  ],
  "follows from its seed and its calls": [
    {
      what: "a world with a memory outside of itself",
      protocol: withEffects((effects) => {
        calls += 1;
        const text = String(calls);
        return effects.length === 0 ? [] : [...effects, { effect: "close", player: 1, reason: text }];
      }),
      says: /Effects of call 0/,
    },
    {
      what: "a bot with chance of its own",
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
  ],
  "gives plain effects, once, and leaves them alone": [
    {
      what: "a getter in an effect",
      protocol: withEachEffect((effect) => {
        if (effect.effect !== "observe") return effect;
        const { data } = effect;
        return {
          ...effect,
          get data() {
            return data;
          },
        };
      }),
      says: /not plain data: \[\d+\]\.data: a getter or setter/,
    },
    {
      what: "an instance in an effect",
      protocol: withEachEffect((effect) =>
        effect.effect === "observe" ? { ...effect, data: { ...new Instance() }, of: Instance } : effect,
      ),
      says: /\.of: a function/,
    },
    {
      what: "effects that are given twice",
      protocol: withMembers((base) => {
        let last: Effects = [];
        return {
          takeEffects() {
            const effects = base.takeEffects();
            const given = effects.length === 0 ? last : effects;
            last = effects;
            return given;
          },
        };
      }),
      says: /are given twice/,
    },
    {
      what: "a list of effects that goes on growing",
      protocol: withMembers((base) => {
        let last: Effect<FakeServerMessage>[] = [];
        return {
          takeEffects() {
            const effects = [...base.takeEffects()];
            last.push(...effects);
            last = effects;
            return effects;
          },
        };
      }),
      says: /were changed after they were taken/,
    },
  ],
  "copies the payload bytes that it keeps": [
    {
      what: "a verdict with the caller's bytes",
      protocol: withMembers((base) => {
        let last: Uint8Array = new Uint8Array();
        return {
          receive(id, message, payload, nowMs) {
            base.receive(id, message, payload, nowMs);
            last = payload;
          },
          takeEffects: () =>
            base.takeEffects().map((effect) => {
              if (effect.effect !== "verdict") return effect;
              return { ...effect, verdict: { ...effect.verdict, message: last } };
            }),
        };
      }),
      says: /165 165/,
    },
    {
      what: "a world that writes into the payload",
      protocol: afterMessages((_world, _id, _message, payload) => payload.reverse()),
      says: /changes the payload/,
    },
  ],
  "exits and hides what it entered and showed": [
    {
      what: "a world whose leave emits no exit",
      protocol: withMembers((base) => {
        let isLeaving = false;
        return {
          leave(id) {
            base.leave(id);
            isLeaving = true;
          },
          takeEffects() {
            const wasLeaving = isLeaving;
            isLeaving = false;
            return base.takeEffects().filter(({ effect }) => !(wasLeaving && effect === "exit"));
          },
        };
      }),
      says: /no exit of player \d+ from room|enters .* from within a room/,
    },
    {
      what: "a world that hides nobody",
      protocol: withEffects((effects) => effects.filter(({ effect }) => effect !== "hide")),
      says: /no hide of player|rooms\(\) after call/,
    },
    {
      what: "a world that enters without having exited",
      protocol: withEffects((effects) =>
        effects.some(({ effect }) => effect === "enter") ? effects.filter(({ effect }) => effect !== "exit") : effects,
      ),
      says: /from within a room/,
    },
    {
      what: "a world that sends to players who are gone",
      protocol: withMembers((base) => {
        let left: PlayerId | undefined;
        let isDue = false;
        return {
          leave(id) {
            base.leave(id);
            left = id;
          },
          tick(nowMs) {
            base.tick(nowMs);
            isDue = left !== undefined;
          },
          takeEffects() {
            const effects = base.takeEffects();
            if (!isDue || left === undefined) return effects;
            isDue = false;
            return [...effects, { effect: "send", to: left, message: { message: "state", value: { text: "" } } }];
          },
        };
      }),
      says: /send of player \d+, who is not there/,
    },
    {
      what: "rooms() that forgets who is shown",
      protocol: withMembers((base) => ({
        rooms: () => new Map([...base.rooms()].filter(([room]) => room !== "mirror")),
      })),
      says: /rooms\(\) after call/,
    },
    {
      what: "tracks of a room where the player is not",
      protocol: withMembers((base) => ({
        tracks: (nowMs, room) => base.tracks(nowMs, room).map((track) => ({ ...track, room: "elsewhere" })),
      })),
      says: /a track of player \d+ in elsewhere/,
    },
  ],
  "changes nothing when it is asked": [
    {
      what: "a world that changes when it is looked at",
      protocol: withMembers((base) => ({
        tracks(nowMs, room) {
          for (const { player } of base.tracks(nowMs, room)) base.follow(player);
          return base.tracks(nowMs, room);
        },
      })),
      says: /Effects of call/,
    },
  ],
  "keeps tracks while their version stays": [
    {
      what: "a version of tracks that forgets that players come, go and step",
      protocol: withMembers((base) => {
        let ticks = 0;
        return {
          tick(nowMs) {
            ticks += 1;
            base.tick(nowMs);
          },
          tracksVersion: () => ticks,
        };
      }),
      says: /Tracks of room .+ with version \d+ after call/,
    },
  ],
  "neither corrects nor bans with enforcement log": [
    {
      what: "a world that bans where it should only log",
      protocol: withWorld((world) => new FakeWorld({ ...world, enforcement: "enforce" })),
      says: /enforcement log bans/,
    },
    {
      what: "a world that corrects where it should only log",
      protocol: withLeaps((effect) => [{ ...effect, verdict: { ...effect.verdict, kind: "correct" } }]),
      says: /enforcement log corrects: leap/,
    },
    {
      what: "a world that flags nothing where it should only log",
      protocol: withLeaps((effect) =>
        effect.verdict.kind === "flag" ? [] : [{ ...effect, verdict: { ...effect.verdict, kind: "correct" } }],
      ),
      says: /leap corrects when it is enforced, and flags nothing/,
    },
  ],
  "changes nothing when it refuses a message": [
    {
      what: "a world that moves whom it refuses",
      protocol: withMembers((base) => {
        const places = new Map<PlayerId, number>();
        return {
          receive(id, message, payload, nowMs) {
            base.receive(id, message, payload, nowMs);
            if (message.message === "step") places.set(id, message.value.x);
          },
          save() {
            const saved = base.save();
            return { ...saved, state: { ...saved.state, x: new Map(places) } };
          },
        };
      }),
      says: /the refused message of call .* changes state\.x/,
    },
    {
      what: "a world that passes on what it refuses",
      protocol: withLeaps((effect) => [
        effect,
        { effect: "broadcast", room: "1", except: effect.verdict.player, message: steppedTo(1) },
      ]),
      says: /is sent to others/,
    },
  ],
  "corrects to what it believed, whatever was claimed": [
    {
      what: "a world that goes where it refuses to go",
      protocol: withStepped<{ x: number }>((player, x) => {
        player.x = x;
      }),
      says: /is corrected to .*, and the player is at/,
    },
    {
      what: "a world that keeps what it corrects",
      protocol: withStepped<{ shownIn: Set<string> }>(({ shownIn }, x) => shownIn.add(`place ${x}`)),
      says: /changes the world by what it claimed: state\.players/,
    },
    {
      what: "a world that corrects to what was claimed",
      protocol: withCorrections((claimed) => claimed),
      says: /is corrected to .*, and the player is at/,
    },
    {
      what: "a world that relays what it corrects",
      protocol: withClaims((effect, x) => {
        if (effect.effect !== "verdict" || effect.verdict.kind !== "correct") return effect;
        return [effect, { effect: "broadcast", room: "1", except: effect.verdict.player, message: steppedTo(x) }];
      }),
      says: /The effects of the corrected message of call .* depend on what it claimed/,
    },
    {
      what: "a world that corrects to another place than the player's",
      protocol: withCorrections(() => 9),
      says: /is corrected to \{"x":\d+,"y":0\}, and the player is at/,
    },
    {
      what: "a world that refuses and sends no correction",
      protocol: withCorrections(() => undefined),
      says: /is answered with no correction/,
    },
  ],
  "takes any message in any order": [
    {
      what: "a world that says what cannot be written",
      protocol: withEachEffect((effect) =>
        effect.effect === "send" && effect.message.message === "counted"
          ? { ...effect, message: { message: "counted", value: { number: 256 } } }
          : effect,
      ),
      says: /256/,
    },
    {
      what: "tracks without a place",
      protocol: withMembers((base) => ({
        tracks: (nowMs, room) =>
          base.tracks(nowMs, room).map((track) => ({ ...track, position: { x: Number.NaN, y: 0 } })),
      })),
      says: /a track without a place/,
    },
    {
      what: "a world that throws at a message",
      protocol: withMembers((base) => ({
        receive(id, message, payload, nowMs) {
          if (nowMs > 60_000 && message.message === "step") throw new Error("no more steps");
          base.receive(id, message, payload, nowMs);
        },
      })),
      says: /no more steps/,
    },
  ],
};
