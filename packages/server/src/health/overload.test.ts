/** Overload: more to read and to send than there is time for, and recipients that do not read. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import type { Clock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import type { Accounts } from "../admission/accounts.ts";
import type { Place } from "../admission/places.ts";
import type { Bans } from "../bans/bans.ts";
import { DocsFiles } from "../http/docs-files.ts";
import { httpAnswers } from "../http/http-answers.ts";
import { LogBudget } from "../runtime/log-budget.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import { Stalls } from "../runtime/stalls.ts";
import { type Budgets, budgetsWith } from "../session/budgets.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { Link, LinkEvents } from "../session/links.ts";
import { Session, type SessionContext } from "../session/session.ts";
import { startServer } from "../start-server.ts";
import { HostedWorld, type Member } from "../worlds/hosted-world.ts";
import { Metrics } from "./metrics.ts";

/** A clock that the test moves, and an event loop whose turn ends when the test says so: until then nothing planned runs. */
function endlessTurn() {
  const state = { nowMs: 0 };
  const planned: (() => void)[] = [];
  const clock: Clock = { now: () => state.nowMs, after: () => () => {}, every: () => () => {} };
  const runtime: Runtime = { ...nodeRuntime, afterReads: (call) => void planned.push(call) };
  const endTurn = (): void => {
    for (const call of planned.splice(0)) call();
  };
  return { state, clock, runtime, endTurn };
}

const silent = pino({ level: "silent" });

function worldOn(clock: Clock, runtime: Runtime, dialect: string, budgets?: Budgets): HostedWorld {
  return new HostedWorld({
    protocol: fakeProtocol,
    dialect,
    clock,
    runtime,
    seed: 1,
    enforcement: "enforce",
    demo: false,
    flushMs: 0,
    ...(budgets === undefined
      ? {}
      : { pendingBytesLimit: budgets.queuedBytesSoft, queuedBytesLimit: budgets.queuedBytesPerWorld }),
    log: new LogBudget(silent, { clock, linesPerMinute: 1 }),
    observer: { verdict: () => {}, observed: () => {}, moved: () => {}, carried: () => {} },
    banned: () => {},
  });
}

const text = (length: number) => ({ message: "say", value: { text: "x".repeat(length) } }) as const;
const noPayload = new Uint8Array(0);

describe("while bytes are read without an end", () => {
  /** Players whose writes take `writeMs` each. */
  function arrange(players: number, writeMs: number) {
    const loop = endlessTurn();
    const world = worldOn(loop.clock, loop.runtime, "plain");
    const messages: number[] = [];
    for (let index = 0; index < players; index += 1) {
      const member: Member = {
        account: `login:${index}`,
        banKey: `login:${index}`,
        queuedBytes: 0,
        framing: world.carriage("tcp").framing,
        deliver(_bytes, count) {
          messages[index] = (messages[index] ?? 0) + count;
          loop.state.nowMs += writeMs;
          return true;
        },
        note: () => {},
        saveChannel: () => ({ schema: 1, channel: "plain", state: {} }),
        end: () => {},
      };
      world.join(member, { account: `login:${index}`, name: `${index}` });
    }
    return { ...loop, world, messages };
  }

  test("a flush is overdue by no more than 20 ms, and due after a rest that doubles up to 200 ms", () => {
    const { state, world, messages } = arrange(2, 0);
    const gaps: number[] = [];
    for (let flush = 0; flush < 8; flush += 1) {
      const before = messages[1] ?? 0;
      const fromMs = state.nowMs;
      while ((messages[1] ?? 0) === before) {
        world.receive(1, text(1), noPayload);
        state.nowMs += 1;
      }
      gaps.push(state.nowMs - fromMs);
      expect((messages[1] ?? 0) - before).toBeGreaterThan(20);
    }
    // The 21st millisecond is the first over 20; the message at it is read before the flush.
    expect(gaps).toEqual([22, 22, 46, 71, 121, 221, 221, 221]);
    expect(world.worstLagMs).toBe(220);
  });

  test("a turn that ends ends the rest", () => {
    const { state, world, messages, endTurn } = arrange(2, 0);
    for (let read = 0; read < 1_000; read += 1) {
      world.receive(1, text(1), noPayload);
      state.nowMs += 1;
    }
    endTurn();
    state.nowMs += 1;
    const before = messages[1] ?? 0;
    world.receive(1, text(1), noPayload);
    endTurn();
    expect((messages[1] ?? 0) - before).toBe(1);
  });

  test("its parts take as long as the reading between them, so that every recipient is reached", () => {
    const { state, world, messages } = arrange(400, 0.5);
    const reads = 2_000;
    for (let read = 0; read < reads; read += 1) {
      world.receive(1 + (read % 2), text(1), noPayload);
      state.nowMs += 1;
    }
    // 400 writes take 200 ms, as does the reading between their parts: five flushes in the time of 2,000 reads.
    expect(Math.min(...messages.slice(2))).toBeGreaterThan(1_400);
    expect(state.nowMs).toBeLessThan(2 * reads + 400 * 0.5 + 100);
    // From the first message of a flush, which came in the middle of the one before.
    expect(world.worstLagMs).toBeLessThan(1_200);
  });

  test("an overdue tick runs all the same, and once", () => {
    const { state, world } = arrange(1, 0);
    let ticks = 0;
    const { host } = world;
    host.tick = () => {
      ticks += 1;
    };
    const periods = 20;
    for (; state.nowMs < periods * world.world.tickMs; state.nowMs += 1) world.keepUp();
    expect(ticks).toBeGreaterThanOrEqual(Math.floor((periods * world.world.tickMs) / (world.world.tickMs + 21)));
    expect(ticks).toBeLessThanOrEqual(periods);
  });
});

/** A link to a peer that reads nothing: what the kernel takes at first is `kernelBytes`. */
class DeafLink implements Link {
  readonly kind = "tcp";
  readonly carrier = "stream";
  readonly address = "192.0.2.1";
  readonly meter = undefined;
  readonly writes: Uint8Array[] = [];
  ended: DisconnectReason | undefined;
  queuedBytes = 0;
  #kernelBytes: number;

  constructor(kernelBytes: number) {
    this.#kernelBytes = kernelBytes;
  }

  listen(_events: LinkEvents): void {}
  write(frames: Uint8Array): void {
    const taken = Math.min(this.queuedBytes === 0 ? this.#kernelBytes : 0, frames.length);
    this.#kernelBytes -= taken;
    this.queuedBytes += frames.length - taken;
    if (taken < frames.length) this.writes.push(frames);
  }
  pause(): void {}
  resume(): void {}
  close(reason: DisconnectReason): void {
    this.ended = reason;
    this.queuedBytes = 0;
    this.writes.length = 0;
  }
  destroy(): void {}
}

describe("recipients that do not read", () => {
  function arrange(dialect: string, links: number, changes: Partial<Budgets>) {
    const loop = endlessTurn();
    const budgets = budgetsWith(changes);
    const world = worldOn(loop.clock, loop.runtime, dialect, budgets);
    const rate = { perSecond: 1e9, burst: 1e9 };
    const context = {
      runtime: loop.runtime,
      budgets,
      rates: { bytes: rate, messages: rate, refused: rate },
      stalls: new Stalls(loop.clock),
      accounts: undefined as unknown as Accounts,
      bans: { find: () => undefined } as unknown as Bans,
      banKeyOf: () => "session:x",
      keepUp: () => world.keepUp(),
      proved: () => {},
      makeRoom: () => false,
      joined: () => {},
      ended: () => {},
      gone: () => {},
    } as unknown as SessionContext;
    const deaf = Array.from({ length: links }, () => new DeafLink(1_000));
    for (const [index, link] of deaf.entries()) {
      new Session({
        id: index + 1,
        link,
        place: {} as Place,
        world,
        context,
        joinRequest: {},
        log: new LogBudget(silent, { clock: loop.clock, linesPerMinute: 1 }),
      });
    }
    return { ...loop, world, deaf };
  }

  test.each(["plain", "private"])(
    "cost a world no more memory than its limit, however much is said (%s)",
    async (dialect) => {
      const perWorld = 400_000;
      const soft = 20_000;
      const { state, world, deaf } = arrange(dialect, 100, { queuedBytesPerWorld: perWorld, queuedBytesSoft: soft });
      const speaker = Math.max(...world.host.players.keys());
      let most = 0;
      let mostMemory = 0;
      const say = (count: number, length: number): void => {
        for (let each = 0; each < count; each += 1) {
          world.receive(speaker, text(length), noPayload);
          state.nowMs += 1;
          most = Math.max(most, world.heldBytes);
        }
        const buffers = new Set(deaf.flatMap(({ writes }) => writes.map(({ buffer }) => buffer)));
        mostMemory = Math.max(
          mostMemory,
          [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0),
        );
      };
      say(2_000, 100);
      say(200, 10_000);
      say(1_000, 10);
      // 100 recipients were to be sent 2.2 MB each.
      expect(world.host.counts.dropped).toBeGreaterThan(100_000);
      // Between two counts 50 recipients with an empty queue may be written a flush, the last message of it over the limit.
      const atOnce = 50 * (soft + 10_100);
      expect(most).toBeLessThan(perWorld + atOnce);
      // A recipient keeps the log of a room whose last part it has queued.
      expect(mostMemory).toBeLessThan(2 * (perWorld + atOnce));
    },
  );

  test("with the longest queues are disconnected when all together are over the limit", () => {
    const { state, world, deaf } = arrange("private", 20, { queuedBytesPerWorld: 100_000, queuedBytesSoft: 50_000 });
    const patient = deaf[7];
    // Messages to one player alone are never dropped: 19 queues of 8,000 bytes.
    for (const link of deaf) link.queuedBytes = link === patient ? 1 : 8_000;
    world.noteQueued(19 * 8_000);
    world.receive(8, text(10), noPayload);
    state.nowMs += 1_000;
    world.keepUp();
    expect(world.queuedBytes).toBeLessThanOrEqual(100_000);
    expect(deaf.filter(({ ended }) => ended === "slow-reader").length).toBeGreaterThanOrEqual(7);
    expect(patient?.ended).toBeUndefined();
    expect(world.host.players.size).toBeGreaterThanOrEqual(11);
  });

  test("are counted for the memory of their world, and so is what waits for a flush", () => {
    const { state, world, deaf } = arrange("plain", 3, { queuedBytesSoft: 20_000 });
    for (const link of deaf) link.queuedBytes = 500;
    const before = world.host.heldBytes;
    world.receive(1, text(50), noPayload);
    state.nowMs += 1_500;
    // Once for the room: a length of two bytes, an id, the speaker, and the text.
    expect(world.heldBytes - before).toBe(3 * 500 + 2 + 1 + 2 + 50);
    expect(world.worstLagMs).toBe(1_500);
  });
});

test("what a world holds and how late it is shows in the metrics", async () => {
  const server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }] });
  try {
    const answer = await fetch(`http://127.0.0.1:${server.httpAddress?.port}/metrics`);
    const metrics = await answer.text();
    expect(metrics).toContain('wirewalk_held_bytes{protocol="fake",world="fake"} 0\n');
    expect(metrics).toContain('wirewalk_delivery_lag_seconds{protocol="fake",world="fake"} 0\n');
  } finally {
    await server.close({ graceMs: 0 });
  }
});

describe("/readyz", () => {
  const http = createServer();
  afterEach(() => void http.close());

  test("says no, and how late messages are, while they are more than a second late", async () => {
    let lagMs = 1_000;
    http.on(
      "request",
      httpAnswers(
        {
          banOf: () => undefined,
          files: undefined,
          docs: new DocsFiles(undefined),
          metrics: new Metrics(),
          isDraining: () => false,
          failing: () => undefined,
          degraded: () => undefined,
          lagMs: () => lagMs,
        },
        { names: { publicHosts: [], allowedOrigins: [] }, hasPage: true, token: undefined, isSecure: false },
      ),
    );
    await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
    const ask = async (): Promise<readonly [number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/readyz`);
      return [answer.status, await answer.text()];
    };
    expect(await ask()).toEqual([200, "ok\n"]);
    lagMs = 2_345;
    expect(await ask()).toEqual([503, "overloaded: messages were up to 2345 ms late\n"]);
    http.closeAllConnections();
  });
});
