/** What a player can gain over others, and what a bad day may not cost an honest one. */
import { describe, expect, it } from "vitest";
import { movementModel } from "../movement/model.ts";
import { keys, SPRINT, Stage, WALK, walked } from "../testing/stage.ts";

/** Ticks per second. */
const SECOND = 40;
const SPRINT_SPEED = movementModel.sprintSpeed;
/** Seconds that a clock may gain in all: its slack, and what is forgiven before it is found. */
const TOLERANCE = 0.6;

/** A player that sprints along +Y. */
class Sprinter {
  readonly stage = new Stage();
  readonly tick: number;
  readonly #startY: number;
  #sent = 0;

  constructor() {
    const { tick, position } = this.stage.enter(1);
    this.tick = tick;
    this.#startY = position.y;
  }

  /** Sends as many ticks. */
  send(ticks: number): void {
    for (let count = 0; count < ticks; count++, this.#sent++) {
      this.stage.move(1, this.tick + this.#sent, { keys: keys(this.#sent === 0 ? WALK : SPRINT) });
    }
  }

  pass(ticks: number): void {
    this.stage.pass(ticks);
    this.stage.effects.splice(0, Math.max(0, this.stage.effects.length - 200));
  }

  /** Seconds of sprinting that it has gone. */
  get seconds(): number {
    return (this.stage.own(1).position.y - this.#startY) / SPRINT_SPEED;
  }
}

describe("a player gains no more than a tolerance", () => {
  it.each([1.005, 1.02, 1.2, 2, 5])("with a clock of %d, for ten minutes", (rate) => {
    const player = new Sprinter();
    const seconds = 600;
    let due = 0;
    for (let passed = 1; passed <= seconds * SECOND; passed++) {
      const before = Math.floor(due);
      due += rate;
      player.send(Math.floor(due) - before);
      player.pass(1);
    }
    // A clock that is off by no more than crystals and timers are is never found.
    const forgiven = rate === 1.005 ? 0.005 * seconds : 0;
    expect(player.seconds).toBeLessThan(seconds + forgiven + TOLERANCE);
  });

  it("by connecting again and again", () => {
    for (let session = 0; session < 3; session++) {
      const player = new Sprinter();
      for (let passed = 0; passed < 3 * SECOND; passed++) {
        player.send(2);
        player.pass(1);
      }
      expect(player.seconds).toBeLessThan(3 + TOLERANCE);
    }
  });

  it("by waiting with the first packet: a stall of six seconds is believed, and no more", () => {
    const player = new Sprinter();
    player.pass(600 * SECOND);
    for (let passed = 0; passed < 3 * SECOND; passed++) {
      player.send(10);
      player.pass(1);
    }
    expect(player.seconds).toBeLessThan(3 + 6 + TOLERANCE);
  });

  it("by resting for ten minutes: what was not sent is played for 12.8 s at most", () => {
    const player = new Sprinter();
    player.send(1);
    player.pass(600 * SECOND);
    player.send(600 * SECOND);
    player.pass(10 * SECOND);
    expect(player.seconds).toBeLessThan(12.8 + TOLERANCE);
  });
});

describe("a player that holds its ticks back and then sends them at once, for ever", () => {
  /** After a minute: how far it leaped at most ahead of an even sprint, and in all, metres; it plays for so many seconds. */
  const leaps = (heldMs: number, everyMs: number, seconds: number): { worst: number; all: number } => {
    const player = new Sprinter();
    const [held, every] = [heldMs / 25, everyMs / 25];
    const step = SPRINT_SPEED / SECOND;
    let sent = 0;
    let last = 0;
    let ahead = 0;
    let worst = 0;
    let all = 0;
    for (let passed = 1; passed <= seconds * SECOND; passed++) {
      if (passed % every >= held || held === every) {
        if (passed % every === 0 || held !== every) {
          player.send(passed - sent);
          sent = passed;
        }
      }
      player.pass(1);
      const way = player.seconds * SPRINT_SPEED;
      const before = ahead;
      ahead = Math.max(0, ahead + way - last - step);
      last = way;
      if (passed < 60 * SECOND) continue;
      worst = Math.max(worst, ahead);
      // Where one tick comes a little late and the next in time, nobody sees a leap.
      if (ahead > 2 * step) all += ahead - before;
    }
    expect(player.stage.verdicts).toEqual([]);
    return { worst, all };
  };

  it.each([
    [350, 350],
    [350, 700],
    [600, 1200],
    [1000, 1000],
    [1000, 4000],
    [1000, 6000],
  ])("%d ms of each %d ms: others see it go evenly", (heldMs, everyMs) => {
    const { worst } = leaps(heldMs, everyMs, 120);
    // It was up to 8.04 m while the schedule waited for 0.3 s and came back at once.
    expect(worst).toBeLessThanOrEqual(0.26);
  });

  it("a second of each half minute: it leaps for less than 2 % of its way", () => {
    const { worst, all } = leaps(1000, 30_000, 240);
    expect(worst).toBeLessThan(2.5);
    expect(all).toBeLessThan(0.02 * SPRINT_SPEED * 180);
  });
});

describe("a player that sends nothing for 5 s and then all its ticks at once, over and over", () => {
  const HELD = 5 * SECOND;
  /** Plays so many seconds; gives the most ticks that were played within a second of the last ten. */
  const lag = (stage: Stage, tick: number, seconds: number): number => {
    let most = 0;
    let second: number[] = [];
    for (let passed = 1; passed <= seconds * SECOND; passed++) {
      if (passed % HELD === 0) {
        for (let next = passed - HELD; next < passed; next++) stage.move(1, tick + next, { keys: keys(SPRINT) });
      }
      stage.pass(1);
      second = [...second, stage.lastUpdate(1).currentTick].slice(-SECOND - 1);
      if (passed > (seconds - 10) * SECOND) most = Math.max(most, (second.at(-1) ?? 0) - (second[0] ?? 0));
      stage.effects.splice(0, Math.max(0, stage.effects.length - 200));
    }
    return most;
  };

  it("is found within a minute, and plays no faster than it is forgiven", () => {
    const stage = new Stage();
    const { tick } = stage.enter(1);
    // At first as any player that a stall held back: four times as fast.
    expect(lag(stage, tick, 10)).toBeGreaterThan(3.9 * SECOND);
    expect(stage.verdicts).toEqual([]);
    const most = lag(stage, tick + 10 * SECOND, 50);
    expect(stage.verdicts.at(-1)).toMatchObject({ kind: "flag", rule: "saved-up", allowed: 15, unit: "s" });
    expect(most).toBeLessThanOrEqual(1.6 * SECOND);
  });

  it("does not begin anew when it connects again", () => {
    const stage = new Stage();
    lag(stage, stage.enter(1, undefined, "ann").tick, 30);
    expect(stage.verdicts).toEqual([]);
    stage.leave(1);
    lag(stage, stage.enter(1, undefined, "ann").tick, 20);
    expect(stage.verdicts.map(({ rule }) => rule)).toContain("saved-up");
  });
});

describe("a player that connects again", () => {
  /** Runs for a second and leaves; gives where it was. */
  const run = (stage: Stage, player: number, account: string, room?: string) => {
    const from = stage.enter(player, room, account);
    for (let count = 0; count < SECOND; count++) {
      stage.move(player, from.tick + count, { keys: keys(count === 0 ? WALK : SPRINT) });
      stage.pass(1);
    }
    stage.pass(SECOND);
    const { position } = stage.own(player);
    stage.leave(player);
    return { from: from.position, to: position };
  };

  it("is where it was, standing, and no longer at its spawn", () => {
    const stage = new Stage();
    const { from, to } = run(stage, 1, "ann");
    expect(Math.hypot(to.x - from.x, to.y - from.y)).toBeGreaterThan(5);
    expect(stage.enter(2, undefined, "ann").position).toEqual(to);
    // Also through a world that was saved meanwhile.
    stage.leave(2);
    const again = new Stage();
    again.nowMs = stage.nowMs;
    again.world.restore(structuredClone(stage.world.save()));
    expect(again.enter(3, undefined, "ann").position).toEqual(to);
  });

  it("is at a spawn in another room, under another account, and ten minutes later", () => {
    const stage = new Stage();
    const { to } = run(stage, 1, "ann");
    for (const [player, room, account] of [
      [2, "2", "ann"],
      [3, undefined, "bob"],
    ] as const) {
      expect(stage.enter(player, room, account).position).not.toEqual(to);
    }
    stage.pass(600 * SECOND);
    expect(stage.enter(4, undefined, "ann").position).not.toEqual(to);
  });

  it("and shares its address with others: each place is taken once, the last one first", () => {
    const stage = new Stage();
    const first = run(stage, 1, "address").to;
    stage.nowMs += 1000;
    const other = run(stage, 2, "other").to;
    stage.join(3, undefined, "address");
    stage.leave(3);
    expect(stage.enter(4, undefined, "address").position).toEqual(first);
    expect(stage.enter(5, undefined, "address").position).not.toEqual(first);
    expect(stage.enter(6, undefined, "other").position).toEqual(other);
  });

  it("has no new slack for its fast clock", () => {
    const stage = new Stage();
    let played = 0;
    let tick = 0;
    const sprint = (): void => {
      stage.move(1, tick++, { keys: keys(SPRINT) });
    };
    let [x, y] = [0, 0];
    for (let session = 0; session < 10; session++) {
      const entered = stage.enter(1, undefined, "ann");
      tick = entered.tick;
      ({ x, y } = session === 0 ? entered.position : { x, y });
      for (let passed = 0; passed < 3 * SECOND; passed++) {
        sprint();
        sprint();
        stage.pass(1);
      }
      played += 3;
      stage.leave(1);
    }
    const end = stage.enter(1, undefined, "ann").position;
    // It runs up to its speed in each session.
    expect(Math.hypot(end.x - x, end.y - y) / SPRINT_SPEED).toBeLessThan(played + TOLERANCE);
  });
});

describe("an honest player", () => {
  it("whose first packets are held back for five seconds plays all of them, and no rule speaks", () => {
    const player = new Sprinter();
    player.pass(5 * SECOND);
    player.send(5 * SECOND);
    for (let passed = 0; passed < 10 * SECOND; passed++) {
      player.send(1);
      player.pass(1);
    }
    expect(player.stage.verdicts).toEqual([]);
    expect(player.stage.lastUpdate(1).currentTick).toBe(player.tick + 15 * SECOND - 1);
  });

  it("whose first packet alone is held back, and whose clock is a little fast, is not found to be fast", () => {
    const player = new Sprinter();
    player.pass(3 * SECOND);
    player.send(3 * SECOND);
    for (let passed = 1; passed <= 120 * SECOND; passed++) {
      player.send(passed % 1000 === 0 ? 2 : 1);
      player.pass(1);
    }
    expect(player.stage.verdicts).toEqual([]);
  });

  it("plays everything that a stall of eleven seconds held back", () => {
    const player = new Sprinter();
    for (let passed = 0; passed < 10 * SECOND; passed++) {
      player.send(1);
      player.pass(1);
    }
    player.pass(11 * SECOND);
    player.send(11 * SECOND);
    player.pass(5 * SECOND);
    expect(player.stage.verdicts).toEqual([]);
    expect(player.stage.own(1).position).toEqual(
      walked({ character: 1, tick: player.tick, position: new Stage().enter(1).position }, [
        {},
        ...new Array(21 * SECOND - 1).fill({ keys: keys(SPRINT) }),
      ]),
    );
  });

  it.each([
    ["whose line stands for 5 s of each 20 s", 15, 5, 0],
    ["whose server stands for 5 s of each 10 s", 5, 0, 5],
    ["whose line and server stand for 5 s of each 25 s, one after the other", 15, 5, 5],
  ])("%s is never held back", (_, plays, line, server) => {
    const { stage, tick } = new Sprinter();
    let sent = 0;
    /** Its client plays on for as many ticks, of which the last are sent when the line works again. */
    const send = (ticks: number): void => {
      for (let count = 0; count < ticks; count++, sent++) stage.move(1, tick + sent, { keys: keys(SPRINT) });
    };
    for (let seconds = 0; seconds < 600; seconds += plays + line + server) {
      for (let count = 0; count < plays * SECOND; count++) {
        send(1);
        stage.pass(1);
      }
      stage.pass(line * SECOND);
      stage.nowMs += server * 1000;
      send((line + server) * SECOND);
      stage.effects.splice(0, stage.effects.length - 200);
    }
    expect(stage.verdicts).toEqual([]);
    const saved = stage.world.budgets(1).find(({ rule }) => rule === "saved-up");
    if (line === 0) expect(saved?.used).toBeLessThan(100);
    stage.pass(5 * SECOND);
    expect(stage.lastUpdate(1).currentTick).toBe(tick + sent - 1);
  });

  it("is not blamed for doubled packets that a stall brings at once", () => {
    const stage = new Stage();
    const { tick } = stage.enter(1);
    stage.move(1, tick);
    stage.pass(5 * SECOND);
    for (let next = 1; next < 5 * SECOND; next++) {
      stage.move(1, tick + next);
      if (next % 5 === 0) stage.move(1, tick + next);
    }
    stage.pass(5 * SECOND);
    expect(stage.verdicts).toEqual([]);
  });

  it("that was seated is not blamed for keys that it sent before it could know", () => {
    const stage = new Stage();
    const { tick } = stage.enter(1);
    for (let next = 0; next < 2 * SECOND; next++) {
      stage.move(1, tick + next);
      stage.pass(1);
    }
    // Its connection stalls, and it is seated meanwhile; it knows a second after that.
    stage.pass(SECOND);
    stage.world.setSeated(1, true, stage.nowMs);
    stage.pass(4 * SECOND);
    for (let next = 2 * SECOND; next < 7 * SECOND; next++) {
      stage.move(1, tick + next, { keys: keys(next < 4 * SECOND - 1 ? WALK : 0) });
    }
    stage.pass(5 * SECOND);
    expect(stage.verdicts).toEqual([]);
  });

  it("is not sent away for a hello that came while the server stood", () => {
    const stage = new Stage();
    stage.pass(1);
    stage.join(1);
    stage.nowMs += 25_000;
    stage.pass(1);
    expect(stage.verdicts).toEqual([]);
    stage.pass(21 * SECOND);
    expect(stage.verdicts).toMatchObject([{ kind: "reject", rule: "no-hello" }]);
  });
});

describe("a flood of packets", () => {
  it("changes nothing for others, and waits in bounded memory", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    const two = stage.enter(2);
    for (let passed = 0; passed < 5 * SECOND; passed++) {
      stage.move(2, two.tick + passed);
      // All ticks that its budget could ever allow, over and over.
      for (let next = 0; next < 130; next++) stage.move(1, one.tick + passed + next);
      stage.pass(1);
    }
    expect(stage.own(2).position).toEqual(walked(two, new Array(5 * SECOND).fill({})));
    expect(stage.own(1).position.y - one.position.y).toBeLessThan(movementModel.walkSpeed * (5 + TOLERANCE));
    expect(stage.verdicts.every(({ player }) => player === 1)).toBe(true);
    expect(stage.verdicts.some(({ rule, kind }) => rule === "replayed-tick" && kind === "flag")).toBe(true);
    // Of each rule one verdict a second.
    expect(stage.verdicts.length).toBeLessThanOrEqual(3 * 6);
    expect(stage.world.tracks(stage.nowMs)[0]?.details?.bufferedTicks).toBeLessThanOrEqual(512);
  });
});
