/** Worlds that stand beside another server, by the contract of worlds: what that server sends, and what cannot be read, comes at any moment. */
import { describe, expect, it } from "vitest";
import type { PlayerId, Random } from "../motion/index.ts";
import { scaled } from "../testing/scale.ts";
import { mapleStory } from "./maplestory/maplestory.ts";
import { requireMembers } from "./members.ts";
import type { Protocol } from "./protocol.ts";
import { slimeOnline2 } from "./slime-online-2/slime-online-2.ts";
import { savedWorldRules } from "./testing/saved-world-rules.ts";
import { Subject } from "./testing/subject.ts";
import { suiteOptions } from "./testing/suite-options.ts";
import { worldRules } from "./testing/world-rules.ts";
import type { World, WorldOptions } from "./world.ts";

const games = [mapleStory as unknown as Protocol, slimeOnline2 as unknown as Protocol];

/** What servers of the game send: collected once, of a world of ours with players who are refused, corrected and sent about. */
function sentBy(game: Protocol, dialect: string): readonly { readonly message: string; readonly value: object }[] {
  const { createWorld } = requireMembers(game, ["createWorld"], "be tested");
  const world = createWorld({ dialect, seed: 3, demo: true });
  for (const player of [1, 2, 3]) world.join(player, { account: `p${player}`, name: `p${player}` }, 0);
  for (let nowMs = 0; nowMs < 3000; nowMs += world.tickMs) world.tick(nowMs);
  return world.takeEffects().flatMap((effect) => (effect.effect === "send" ? [effect.message] : []));
}

function shadowSubject(protocol: Protocol, dialect: string): Subject<"createWorld"> {
  const own = requireMembers(protocol, ["createWorld"], "be tested");
  const game = {
    ...own,
    createWorld: (options: WorldOptions) => own.createWorld({ ...options, shadow: true, enforcement: "log" as const }),
  };
  const sent = sentBy(protocol, dialect);
  const gameCode = (world: World, player: PlayerId, random: Random, nowMs: number): void => {
    const { shadow } = world;
    if (random.chance(0.2)) {
      shadow?.missed(player, random.pick(["client", "server"]), Uint8Array.of(random.integer(0, 255), 0), nowMs);
    } else if (random.chance(0.05)) shadow?.lost(player, nowMs);
    else if (sent.length > 0) shadow?.observe(player, random.pick(sent), nowMs);
  };
  const { countedOnRefusal = [], keptOfCorrected = [] } = suiteOptions[protocol.name] ?? {};
  const options = {
    restores: scaled(20, 3),
    damages: scaled(60, 6),
    durationMs: scaled(30_000, 1200),
    gameCode,
    keptOfCorrected,
    // What was seen of a player is seen in refused messages, too.
    countedOnRefusal: [...countedOnRefusal, "watched"],
  };
  return new Subject(requireMembers(game as Protocol, ["createWorld"], "be tested"), dialect, options);
}

const worlds = games.flatMap((game) => game.dialects.map(({ name }) => [game, name] as const));

describe.each(worlds)("$name beside another server, dialect %s", (game, dialect) => {
  const subject = shadowSubject(game, dialect);
  it.each([...worldRules.rules, ...savedWorldRules.rules])("$name", ({ check }) => check(subject, 1));
});

describe("a shadowed world", () => {
  const created = (): World =>
    mapleStory.createWorld({ dialect: "v83", seed: 1, shadow: true, enforcement: "log" }) as World;
  const somebody = { account: "ann", name: "ann" };

  it("refuses the state of a world of its own server, and the reverse, by name", () => {
    const own = mapleStory.createWorld({ dialect: "v83", seed: 1, enforcement: "log" });
    expect(() => created().restore(own.save())).toThrow("option shadow was undefined and is true");
    expect(() => own.restore(created().save())).toThrow("shadow was true and is undefined");
  });

  it.each([
    [{ player: 0 }, "state.watched[0].player must be 1 to 65535"],
    [{ sight: { field: 0.5 } }, "state.watched[0].sight must be whole numbers by name"],
    [{ sight: { field: 9 } }, "field 0 to 2"],
    [{ isDeaf: 1 }, "state.watched[0].isDeaf must be true or false"],
    [{ reported: [1] }, "state.watched[0].reported must be an array of texts"],
    [{ room: 5 }, "state.watched[0].room must be a text"],
  ])("refuses a saved sight with %o", (change, reason) => {
    const world = created();
    world.join(1, somebody, 0);
    const saved = world.save();
    const state = saved.state as { readonly watched: readonly object[] };
    const other = { ...saved, state: { ...state, watched: [{ ...state.watched[0], ...change }] } };
    const before = world.digest();
    expect(() => world.restore(other)).toThrow(reason);
    expect(world.digest()).toBe(before);
  });

  it("refuses a saved state, and keeps its own", () => {
    const world = created();
    world.join(1, somebody, 0);
    const saved = world.save();
    const { watched, effects } = saved.state as { readonly watched: readonly object[]; readonly effects: object[] };
    const before = world.digest();
    const changed = (change: object) => ({ ...saved, state: { ...saved.state, ...change } });
    // One player twice.
    expect(() => world.restore(changed({ watched: [...watched, ...watched] }))).toThrow(
      "state.watched[1].player must be another than those before it",
    );
    // No plain data: the game's own world must not have been restored before that is found.
    const other = created();
    other.join(2, somebody, 0);
    const ofOther = other.digest();
    expect(() => other.restore(changed({ effects: [...effects, () => 0] }))).toThrow(TypeError);
    expect([world.digest(), other.digest()]).toEqual([before, ofOther]);
  });

  it("says once for each reason what was not seen", () => {
    const world = created();
    world.join(1, somebody, 0);
    world.takeEffects();
    const codec = mapleStory.codec("v83");
    const aggro = codec.fromJson("client", { message: "aggro", value: { mobId: 5, distance: 1 } });
    for (let count = 0; count < 3; count++) world.receive(1, aggro, codec.write("client", aggro), 100);
    const seen = world.takeEffects().filter((effect) => effect.effect === "observe" && effect.what === "unseen");
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      player: 1,
      data: { reason: expect.stringContaining("no changeMap of the server") },
    });
  });
});
