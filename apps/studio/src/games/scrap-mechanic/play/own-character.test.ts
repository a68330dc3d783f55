import { expect, test } from "vitest";
import { keySets, type MovementKeys, ScrapWorld, scrapCodec, type UnreliableUpdate } from "wirewalk/scrap-mechanic";
import { STEP_METRES } from "./agreement.ts";
import { CORRECTION_MS, OwnCharacter } from "./own-character.ts";

const codec = scrapCodec("documented");

/** A world with one player in it, and the page's character at its other end; the world receives the messages that `arrives` accepts. */
function setUp(arrives: (frame: number) => boolean = () => true) {
  const world = new ScrapWorld({ dialect: "documented", seed: 1 });
  world.join(1, { account: "ann", name: "Ann" }, 0);
  world.receive(1, { message: "hello", value: { version: 1 } }, new Uint8Array([0xf0, 1]), 0);
  const welcome = world.takeEffects().find((effect) => effect.effect === "send");
  if (welcome?.message.message !== "playing") throw new Error("not playing");
  const own = new OwnCharacter(welcome.message.value, 0);
  let frames = 0;
  let sent = 0;
  const effects: (ReturnType<OwnCharacter["receive"]> | undefined)[] = [];
  /** Frames of 10 ms; the world ticks every 25. */
  const run = (toMs: number): void => {
    for (; frames * 10 <= toMs; frames++) {
      const nowMs = frames * 10;
      const said = own.frame(nowMs);
      if (said !== undefined) {
        sent += 1;
        const message = { message: "playerMovement", value: said.movement } as const;
        if (arrives(sent)) world.receive(1, message, codec.write("client", message), nowMs);
      }
      if (frames % 5 === 0 || frames % 5 === 3) world.tick(nowMs);
      for (const effect of world.takeEffects()) {
        if (effect.effect !== "send" || effect.message.message !== "unreliableUpdate") continue;
        effects.push(own.receive(effect.message.value as UnreliableUpdate, nowMs));
      }
    }
  };
  return { world, own, run, effects, sent: () => sent };
}

test("walks at once by its keys, and the server agrees", () => {
  const { world, own, run, sent } = setUp();
  own.sampler.press("forward", true);
  run(2_000);
  const { y } = own.figure(2_000);
  const [track] = world.tracks(2_000);
  expect(y - -16).toBeGreaterThan(6);
  expect(Math.abs(y - (track?.position.y ?? 0))).toBeLessThan(0.3);
  expect(sent()).toBe(80);
  const { reports, corrected, worst, left } = own.agreement.summary(2_000);
  expect(reports).toBeGreaterThan(35);
  expect([corrected, worst, left]).toEqual([0, 0, 0]);
  expect(own.corrections(2_000)).toEqual([]);
});

test("is corrected where its packets got lost, and agrees again to 1 % of a step", () => {
  const { own, run, effects } = setUp((packet) => packet % 20 > 3);
  for (let turn = 0; turn < 20; turn++) {
    own.sampler.press("forward", turn % 2 === 0);
    own.sampler.press("left", turn % 3 === 0);
    run(turn * 300);
  }
  const { corrected, worst, left } = own.agreement.summary(5_700);
  expect(corrected).toBeGreaterThan(5);
  expect(worst).toBeGreaterThan(STEP_METRES / 10);
  expect(left).toBeLessThan(STEP_METRES / 100);
  const corrections = own.corrections(5_700);
  expect(corrections.length).toBeGreaterThan(3);
  for (const { atMs } of corrections) expect(5_700 - atMs).toBeLessThanOrEqual(CORRECTION_MS);
  expect(effects.some((effect) => effect?.after.outcome === "corrected" && Number(effect.after.replayed) > 0)).toBe(
    true,
  );
});

test("turns with the mouse at once, however seldom it ticks", () => {
  const { own } = setUp();
  own.sampler.turn(0.25, 0.1);
  expect(own.figure(3)).toMatchObject({ yawTurns: 0.25, pitch: 0.35 * 256, lift: 0 });
});

test("is drawn smoothly between its ticks", () => {
  const { own, run } = setUp();
  own.sampler.press("forward", true);
  run(2_000);
  let last = own.figure(2_000).y;
  for (let ms = 2_010; ms <= 2_300; ms += 10) {
    run(ms);
    const { y } = own.figure(ms);
    // 4 m/s for 10 ms.
    expect(y - last).toBeCloseTo(0.04, 3);
    last = y;
  }
});

test("after minutes in a hidden tab it goes on, and the server agrees", () => {
  const { world, own, run } = setUp();
  own.sampler.press("forward", true);
  run(1_000);
  own.sampler.release();
  // Nothing is drawn, and nothing said, for two minutes.
  for (let ms = 1_000; ms < 120_000; ms += 25) world.tick(ms);
  world.takeEffects();
  own.sampler.press("left", true);
  const said = own.frame(120_000);
  expect(said?.movement.tick).toBe(4_799);
  for (let ms = 120_000; ms < 125_000; ms += 25) {
    const next = ms === 120_000 ? said : own.frame(ms);
    if (next !== undefined) {
      const message = { message: "playerMovement", value: next.movement } as const;
      world.receive(1, message, codec.write("client", message), ms);
    }
    world.tick(ms);
    for (const effect of world.takeEffects()) {
      if (effect.effect === "verdict") throw new Error(effect.verdict.rule);
      if (effect.effect === "send") own.receive(effect.message.value as UnreliableUpdate, ms);
    }
  }
  expect(own.agreement.summary(125_000).left).toBeLessThan(STEP_METRES / 100);
  const [track] = world.tracks(125_000);
  expect(Math.abs((track?.position.x ?? 0) - own.figure(125_000).x)).toBeLessThan(1);
});

test("plays the same keys by the other model: apart after a turn in a sprint, together where it stands", () => {
  const own = new OwnCharacter({ character: 7, tick: 100, position: { x: 0, y: 0, z: Math.fround(0.7) } }, 0);
  let nowMs = 0;
  const frames = (count: number): void => {
    for (const endMs = nowMs + 25 * count; nowMs < endMs; ) {
      nowMs += 25;
      own.frame(nowMs);
    }
  };
  own.sampler.press("forward", true);
  own.sampler.press("sprint", true);
  frames(41);
  expect([own.model, own.byOtherModel.model]).toEqual(["smServer", "documented"]);
  expect(own.byOtherModel.apart).toBeLessThan(1e-6);
  own.sampler.turn(0.25, 0);
  frames(40);
  expect(own.byOtherModel.apart).toBeCloseTo(1.13, 1);
  own.sampler.release();
  frames(80);
  expect(own.byOtherModel.apart).toBe(0);
});

test("says where it cannot stand up, where it may sit down, and sends no keys while it is seated", () => {
  const at = (x: number, y: number): OwnCharacter =>
    new OwnCharacter({ character: 1, tick: 0, position: { x, y, z: Math.fround(0.7) } }, 0, "smServer", "yard");
  const crawler = at(7.9, -20.5);
  crawler.sampler.press("crawl", true);
  crawler.sampler.press("right", true);
  for (let nowMs = 0; nowMs < 1000; nowMs += 25) crawler.frame(nowMs);
  expect([crawler.body, crawler.hint]).toEqual(["lying", undefined]);
  crawler.sampler.release();
  for (let nowMs = 1000; nowMs < 1200; nowMs += 25) crawler.frame(nowMs);
  expect([crawler.body, crawler.hint]).toEqual(["lying", "The ceiling is too low to stand up: crawl on."]);

  const sitter = at(4, -17.5);
  expect([sitter.body, sitter.hint]).toEqual([undefined, "E sits down."]);
  sitter.sampler.press("forward", true);
  const tick = sitter.frame(25)?.movement.tick ?? Number.NaN;
  const look = { keys: keySets[0] as MovementKeys, direction: 0, yaw: 0, pitch: 64 };
  const position = { x: 4, y: -18.5, z: Math.fround(0.9) };
  sitter.receive({ serverTick: 1, currentTick: tick, updates: [{ kind: "character", id: 1, ...look, position }] }, 30);
  expect([sitter.body, sitter.hint]).toEqual(["seated", "Seated: E stands up."]);
  expect(sitter.frame(50)?.movement.keys.horizontal).toBe(false);
  expect(sitter.figure(50)).toMatchObject({ body: "seated", lift: 0 });
});
