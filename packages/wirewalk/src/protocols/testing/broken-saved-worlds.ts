/** Worlds that break a rule of the contract suite about saving and restoring. */
import type { PlayerId } from "../../motion/index.ts";
import { WireError } from "../../wire/index.ts";
import type { SavedWorld } from "../world.ts";
import { type BrokenProtocols, type Fake, withMembers, withSaved, withSavedPlayers } from "./broken-protocol.ts";

/** The fake with a world that saves the times of its messages as well: its own list, or one that it was restored from. */
function withTimes({ sharesSaved, sharesRestored }: Readonly<Record<"sharesSaved" | "sharesRestored", boolean>>): Fake {
  return withMembers((base) => {
    let times: number[] = [];
    return {
      receive(id, message, payload, nowMs) {
        base.receive(id, message, payload, nowMs);
        times.push(nowMs);
      },
      save() {
        const saved = base.save();
        return { ...saved, state: { ...saved.state, times: sharesSaved ? times : [...times] } };
      },
      restore(saved) {
        const { times: restored, ...state } = saved.state as { times: number[] };
        base.restore({ ...saved, state });
        times = sharesRestored ? restored : [...restored];
      },
    };
  });
}

/** The fake with a world that restores another saved world than it is given. */
function withRestored(change: (saved: SavedWorld, own: SavedWorld) => SavedWorld): Fake {
  return withMembers((base) => ({ restore: (saved) => base.restore(change(saved, base.save())) }));
}

/** The fake with a world that throws another error than `RangeError` or `TypeError` says. */
function withRestoreError(error: Error): Fake {
  return withMembers((base) => ({
    restore(saved) {
      try {
        base.restore(saved);
      } catch {
        throw error;
      }
    },
  }));
}

export const brokenSavedWorlds: BrokenProtocols = {
  "saved and restored at any moment, goes on as the world that was not": [
    {
      what: "a world that is saved without its randomness",
      protocol: withSaved((state) => ({ ...state, random: 1 })),
      says: /Effects of call|has another digest/,
    },
    {
      what: "a world that is saved without the effects that wait",
      protocol: withSaved((state) => ({ ...state, effects: [] })),
      says: /Effects of call/,
    },
    {
      what: "a world that is saved without what is to be said later",
      protocol: withSavedPlayers((player) => {
        player.later = [];
      }),
      says: /Effects of call/,
    },
    {
      what: "a world that is saved without what it has counted",
      protocol: withSavedPlayers((player) => {
        player.leaps = [];
      }),
      says: /Effects of call/,
    },
    {
      what: "a world that is saved without the order of its rooms",
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
      what: "a saved world that shares data with its world",
      protocol: withMembers((base) => {
        const outline = { fake: "world" };
        return {
          save() {
            const saved = base.save();
            return { ...saved, state: { ...saved.state, outline } };
          },
          restore(saved) {
            const { outline: restored, ...state } = saved.state as { outline: object };
            base.restore({ ...saved, state });
            Object.assign(outline, restored);
          },
        };
      }),
      says: /a saved world shares data with its world/,
    },
    {
      what: "a saved world that shares with its world",
      protocol: withTimes({ sharesSaved: true, sharesRestored: false }),
      says: /a saved world (changes while its world plays on|shares data with its world)/,
    },
    {
      what: "a restored world that shares with what it was restored from",
      protocol: withTimes({ sharesSaved: false, sharesRestored: true }),
      says: /The digest after call/,
    },
    {
      what: "a world that keeps what it had when it is restored",
      protocol: withRestored((saved, own) => {
        const kept = own.state as { readonly followed: readonly PlayerId[] };
        const state = saved.state as { readonly followed: readonly PlayerId[] };
        return { ...saved, state: { ...state, followed: [...new Set([...state.followed, ...kept.followed])] } };
      }),
      says: /has another digest|Effects of call/,
    },
    {
      what: "a digest of something else",
      protocol: withMembers(() => ({ digest: () => 5n })),
      says: /digest\(\) is not the digest of save\(\)/,
    },
  ],
  "is saved as plain data that names protocol and dialect": [
    {
      what: "a function in a saved world",
      protocol: withSaved((state) => ({ ...state, effects: [() => 1] })),
      says: /not plain data: \.state\.effects\[0\]: a function|Cannot digest/,
    },
    {
      what: "a saved world with another name",
      protocol: withMembers((base) => ({ save: () => ({ ...base.save(), world: "fake" }) })),
      says: /a saved world is of fake, expected fake\/plain/,
    },
  ],
  "refuses what is not a saved world of its own": [
    {
      what: "a world that takes any schema",
      protocol: withRestored((saved) => ({ ...saved, schema: 1 })),
      says: /schema 2 throws nothing/,
    },
    {
      what: "a world that takes another dialect's state",
      protocol: withRestored((saved) => ({ ...saved, world: saved.world.replace("another", "plain") })),
      says: /restore of fake\/another, schema 1 throws nothing/,
    },
    {
      what: "a world that changes before it throws",
      protocol: withMembers((base) => ({
        restore(saved) {
          for (const id of base.followed) base.unfollow(id);
          for (const { player } of base.tracks(0)) base.leave(player);
          base.takeEffects();
          base.restore(saved);
        },
      })),
      says: /changes the world though it throws/,
    },
    {
      what: "a restore that throws something else",
      protocol: withRestoreError(new WireError("bad-value", "no", 0)),
      says: /throws WireError.*, expected RangeError|throws Error: no, expected RangeError/,
    },
  ],
  "refuses the saved world of other options": [
    {
      what: "a saved world that does not name an option",
      protocol: withMembers((base) => ({
        save: () => ({ ...base.save(), options: {} }),
        restore: (saved) => base.restore({ ...saved, options: base.save().options }),
      })),
      says: /in a world with another enforcement, which was accepted/,
    },
    {
      what: "a restore that does not say which option differs",
      protocol: withRestoreError(new RangeError("Cannot restore")),
      says: /restore with another enforcement: Cannot restore/,
    },
  ],
};
