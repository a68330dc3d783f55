import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Delivery, type Framing, type Recipient } from "./delivery.ts";
import { framePayloads, payloadFraming } from "./private-frames.ts";

/** Length and mark before the payload, so that joined frames can be separated again. */
function sharedFraming(mark: number): Framing {
  return { frame: (payload) => Uint8Array.of(mark, payload.length, ...payload) };
}

/** A carrier with memory: every frame carries a number one higher than the one before. */
function privateFraming(): Framing {
  let count = 0;
  return { frame: (payload) => Uint8Array.of(count++ & 0xff, payload.length, ...payload) };
}

/** A shared framing that counts what it has framed. */
function countingFraming(): Framing & { framed: number } {
  const framing = {
    framed: 0,
    frame(payload: Uint8Array) {
      framing.framed += 1;
      return payload;
    },
  };
  return framing;
}

const plain = sharedFraming(0xaa);

/** A recipient that keeps every write, and asks to be left out while `slow`. */
class Listener implements Recipient {
  readonly framing: Framing;
  readonly writes: { readonly bytes: string; readonly messages: number }[] = [];
  slow = false;

  constructor(framing: Framing = plain) {
    this.framing = framing;
  }

  deliver(bytes: Uint8Array, messages: number): boolean {
    this.writes.push({ bytes: hex(bytes), messages });
    return !this.slow;
  }

  /** Payload bytes of one-byte messages, write by write. */
  get arrived(): string[] {
    return this.writes.map(({ bytes }) => (bytes.match(/..01../g) ?? []).map((frame) => frame.slice(4)).join(" "));
  }
}

/** What all recipients with a carrier with memory share: its frames before their numbers. */
const unnumbered = sharedFraming(0);

/** A recipient with a carrier with memory: it numbers its frames when it writes. */
class PrivateListener extends Listener {
  #count = 0;

  constructor() {
    super(unnumbered);
  }

  override deliver(bytes: Uint8Array, messages: number): boolean {
    const numbered = bytes.slice();
    for (let at = 0; at < numbered.length; at += 2 + (numbered[at + 1] ?? 0)) numbered[at] = this.#count++ & 0xff;
    return super.deliver(numbered, messages);
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const say = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);

/** Players 1, 2, 3 … in room `a`. */
function roomOf(...listeners: Listener[]): Delivery {
  const delivery = new Delivery();
  for (const [index, listener] of listeners.entries()) {
    delivery.add(index + 1, listener);
    delivery.enter(index + 1, "a");
  }
  return delivery;
}

describe("a broadcast", () => {
  test("reaches all in the room but its sender, in one write, in sending order", () => {
    const listeners = [new Listener(), new Listener(), new Listener()] as const;
    const delivery = roomOf(...listeners);
    delivery.broadcast("a", 1, say(1));
    delivery.broadcast("a", 2, say(2));
    delivery.broadcast("a", 1, say(3));
    delivery.broadcast("a", undefined, say(4));
    delivery.flush();
    expect(listeners.map((listener) => listener.arrived)).toEqual([["02 04"], ["01 03 04"], ["01 02 03 04"]]);
    expect(delivery.counts).toEqual({ broadcasts: 4, deliveries: 9, bytes: 27, writes: 3, dropped: 0 });
  });

  test("is framed once for all recipients that share a framing", () => {
    const framing = countingFraming();
    const delivery = roomOf(...Array.from({ length: 50 }, () => new Listener(framing)));
    delivery.broadcast("a", 1, say(1));
    delivery.flush();
    expect(framing.framed).toBe(1);
  });

  test("to a room whose recipients have no messages of their own gives all of them the same buffer", () => {
    const given: Uint8Array[] = [];
    const delivery = new Delivery();
    for (const player of [1, 2, 3]) {
      delivery.add(player, { framing: plain, deliver: (bytes) => given.push(bytes) > 0 });
      delivery.enter(player, "a");
    }
    delivery.broadcast("a", 3, say(1));
    delivery.flush();
    expect(given.length).toBe(2);
    expect(given[0]?.buffer).toBe(given[1]?.buffer);
  });

  test("reaches its room alone, and is dropped in an empty room", () => {
    const listener = new Listener();
    const delivery = roomOf(listener);
    delivery.broadcast("b", undefined, say(1));
    expect(delivery.pending).toBe(false);
    delivery.flush();
    expect(listener.writes).toEqual([]);
  });

  test("is not framed for recipients that have left", () => {
    const framing = countingFraming();
    const delivery = roomOf(new Listener(), new Listener(framing));
    delivery.exit(2);
    delivery.broadcast("a", undefined, say(1));
    expect(framing.framed).toBe(0);
  });
});

describe("order", () => {
  test("of messages to one and to all is the order in which they were given", () => {
    const listener = new Listener();
    const delivery = roomOf(listener, new Listener());
    delivery.send(1, say(1));
    delivery.broadcast("a", 2, say(2));
    delivery.send(1, say(3));
    delivery.broadcast("a", 1, say(4));
    delivery.broadcast("a", 2, say(5));
    delivery.send(1, say(6));
    delivery.flush();
    expect(listener.arrived).toEqual(["01 02 03 05 06"]);
  });

  test("holds through changes of rooms, still in one write", () => {
    const listener = new Listener();
    const delivery = roomOf(listener, new Listener());
    delivery.broadcast("a", 2, say(1));
    delivery.exit(1);
    delivery.broadcast("a", 2, say(2));
    delivery.send(1, say(3));
    delivery.enter(1, "b");
    delivery.broadcast("b", undefined, say(4));
    delivery.enter(1, "a");
    delivery.broadcast("a", 2, say(5));
    delivery.flush();
    expect(listener.arrived).toEqual(["01 03 04 05"]);
  });

  test("a recipient that enters receives later broadcasts only", () => {
    const late = new Listener();
    const delivery = roomOf(new Listener());
    delivery.add(2, late);
    delivery.broadcast("a", undefined, say(1));
    delivery.enter(2, "a");
    delivery.broadcast("a", undefined, say(2));
    delivery.flush();
    expect(late.arrived).toEqual(["02"]);
  });

  test("a recipient that leaves is sent its pending messages at once", () => {
    const listener = new Listener();
    const delivery = roomOf(listener, new Listener());
    delivery.broadcast("a", 2, say(1));
    delivery.remove(1);
    expect(listener.arrived).toEqual(["01"]);
    delivery.broadcast("a", 2, say(2));
    delivery.send(1, say(3));
    delivery.flush();
    expect(listener.arrived).toEqual(["01"]);
  });
});

describe("a recipient that reads too slowly", () => {
  test("receives no broadcasts until it resumes, and still its own messages", () => {
    const listener = new Listener();
    const delivery = roomOf(listener, new Listener());
    listener.slow = true;
    delivery.broadcast("a", undefined, say(1));
    delivery.flush();
    expect(delivery.isLagging(1)).toBe(true);
    listener.slow = false;
    delivery.broadcast("a", undefined, say(2));
    delivery.send(1, say(3));
    delivery.flush();
    delivery.broadcast("a", undefined, say(4));
    delivery.resume(1);
    expect(delivery.isLagging(1)).toBe(false);
    delivery.broadcast("a", undefined, say(5));
    delivery.flush();
    expect(listener.arrived).toEqual(["01", "03", "05"]);
    expect(delivery.counts.dropped).toBe(2);
  });

  test("costs the others nothing", () => {
    const [slow, other] = [new Listener(), new Listener()];
    slow.slow = true;
    const delivery = roomOf(slow, other);
    for (const byte of [1, 2, 3]) {
      delivery.broadcast("a", undefined, say(byte));
      delivery.flush();
    }
    expect(other.arrived).toEqual(["01", "02", "03"]);
    expect(slow.arrived).toEqual(["01"]);
  });
});

test("recipients whose frames are private share one log: a broadcast is held once, and framed when it is written", () => {
  const delivery = new Delivery();
  const received: string[] = [];
  for (let id = 1; id <= 500; id += 1) {
    let sequence = id;
    const frame = (payload: Uint8Array): Uint8Array => Uint8Array.of(sequence++ & 0xff, ...payload);
    delivery.add(id, {
      framing: payloadFraming,
      deliver: (bytes) => received.push(hex(framePayloads(bytes, frame))) > 0,
    });
    delivery.enter(id, "a");
  }
  for (let count = 0; count < 20; count += 1) delivery.broadcast("a", undefined, say(count, 0xff, 0xff));
  expect(delivery.heldBytes).toBe(20 * (4 + 3));
  delivery.flush();
  expect(delivery.heldBytes).toBe(0);
  const expected = (id: number): string =>
    Array.from({ length: 20 }, (_, index) => hex(say(id + index, index, 0xff, 0xff))).join("");
  expect(received).toEqual(Array.from({ length: 500 }, (_, index) => expected(index + 1)));
});

describe("bytes that wait for a flush", () => {
  test("count once for a room and once for each message to one, and no longer when they are written or dropped", () => {
    const listeners = [new Listener(), new Listener(), new Listener()] as const;
    const delivery = roomOf(...listeners);
    delivery.broadcast("a", 1, say(1));
    delivery.send(2, say(2, 3));
    expect(delivery.heldBytes).toBe(3 + 4);
    // What it has not received of the log is its own from here on.
    delivery.exit(2);
    expect(delivery.heldBytes).toBe(3 + 3 + 4);
    delivery.flush(1);
    delivery.broadcast("a", undefined, say(4));
    while (delivery.pending) delivery.flush(1);
    expect(delivery.heldBytes).toBe(0);
    delivery.broadcast("a", undefined, say(5));
    for (const id of [1, 2, 3]) delivery.remove(id);
    expect(delivery.heldBytes).toBe(0);
  });

  test("are not given to a recipient beyond what it admits; messages to it alone are", () => {
    const asked: number[] = [];
    class Full extends Listener {
      isFull = false;
      admits(bytes: number): boolean {
        asked.push(bytes);
        return !this.isFull;
      }
    }
    const [full, other] = [new Full(), new Listener()] as const;
    const delivery = roomOf(full, other);
    delivery.broadcast("a", undefined, say(1));
    delivery.send(1, say(2));
    delivery.flush();
    full.isFull = true;
    delivery.broadcast("a", undefined, say(3));
    delivery.send(1, say(4));
    delivery.broadcast("a", undefined, say(5));
    delivery.flush();
    expect(delivery.isLagging(1)).toBe(true);
    full.isFull = false;
    delivery.broadcast("a", undefined, say(6));
    delivery.flush();
    delivery.resume(1);
    delivery.broadcast("a", undefined, say(7));
    delivery.flush();
    expect(full.arrived).toEqual(["01 02", "04", "07"]);
    expect(other.arrived).toEqual(["01", "03 05", "06", "07"]);
    expect(asked).toEqual([6, 9, 3]);
    expect(delivery.counts.dropped).toBe(3);
  });
});

describe("memory that a recipient has no use for", () => {
  test("is used again for the next write", () => {
    const buffers = new Set<ArrayBufferLike>();
    const delivery = roomOf(new Listener());
    delivery.add(2, { framing: plain, isBehind: false, deliver: (bytes) => buffers.add(bytes.buffer).size > 0 });
    delivery.exit(1);
    delivery.enter(2, "b");
    for (let round = 0; round < 50; round += 1) {
      delivery.broadcast("b", undefined, say(round));
      if (round % 2 === 0) delivery.send(2, say(round));
      delivery.flush();
    }
    // The log of the room, and that of assembled writes.
    expect(buffers.size).toBe(2);
  });

  test("is used again by no one while a recipient queues it", () => {
    const given: { readonly bytes: Uint8Array; readonly copy: string }[] = [];
    const delivery = new Delivery();
    let turns = 0;
    for (const player of [1, 2, 3]) {
      let isBehind = false;
      delivery.add(player, {
        framing: plain,
        get isBehind() {
          return isBehind;
        },
        deliver(bytes) {
          turns += 1;
          isBehind = turns % 3 === 0 || (isBehind && turns % 7 !== 0);
          if (isBehind) given.push({ bytes, copy: hex(bytes) });
          return true;
        },
      });
      delivery.enter(player, "a");
    }
    for (let round = 0; round < 60; round += 1) {
      for (let count = 0; count <= round; count += 1) delivery.broadcast("a", 1 + (count % 5), say(round, count));
      if (round % 4 === 0) delivery.send(2, say(round));
      delivery.flush(round % 3 === 0 ? 2 : undefined);
    }
    expect(given.length).toBeGreaterThan(20);
    for (const { bytes, copy } of given) expect(hex(bytes)).toBe(copy);
  });
});

test("what was given away never changes afterwards", () => {
  const given: { readonly bytes: Uint8Array; readonly copy: string }[] = [];
  const delivery = new Delivery();
  for (const player of [1, 2]) {
    delivery.add(player, { framing: plain, deliver: (bytes) => given.push({ bytes, copy: hex(bytes) }) > 0 });
    delivery.enter(player, "a");
  }
  for (let round = 0; round < 20; round += 1) {
    for (let count = 0; count <= round * 5; count += 1) delivery.broadcast("a", undefined, say(round, count));
    if (round % 3 === 0) delivery.enter(1, "a");
    delivery.flush();
  }
  for (const { bytes, copy } of given) expect(hex(bytes)).toBe(copy);
});

describe("a flush in parts", () => {
  test("resumes where it stopped, and gives each recipient all messages up to its turn", () => {
    const listeners = [new Listener(), new Listener(), new Listener()] as const;
    const delivery = roomOf(...listeners);
    delivery.broadcast("a", undefined, say(1));
    expect(delivery.flush(1)).toBe(false);
    delivery.broadcast("a", 2, say(2));
    expect(delivery.pending).toBe(true);
    expect(delivery.flush(1)).toBe(false);
    expect(delivery.flush(9)).toBe(true);
    expect(listeners.map((listener) => listener.arrived)).toEqual([["01"], ["01"], ["01 02"]]);
    // The first recipient has not received the second message yet.
    expect(delivery.pending).toBe(true);
    expect(delivery.flush()).toBe(true);
    expect(listeners.map((listener) => listener.arrived)).toEqual([["01", "02"], ["01"], ["01 02"]]);
    expect(delivery.pending).toBe(false);
  });

  test("keeps the others' share when one recipient throws", () => {
    const listener = new Listener();
    const delivery = new Delivery();
    delivery.add(1, {
      framing: plain,
      deliver: () => {
        throw new Error("gone");
      },
    });
    delivery.add(2, listener);
    delivery.enter(1, "a");
    delivery.enter(2, "a");
    delivery.broadcast("a", undefined, say(1));
    expect(() => delivery.flush()).toThrow("gone");
    expect(delivery.pending).toBe(true);
    delivery.flush();
    expect(listener.arrived).toEqual(["01"]);
  });

  type Part =
    | { readonly act: "flush"; readonly writes: number }
    | { readonly act: "say" | "send" | "exit"; readonly player: number }
    | { readonly act: "enter"; readonly player: number; readonly room: string };
  const ids = fc.integer({ min: 1, max: 5 });
  const part: fc.Arbitrary<Part> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant("flush" as const), writes: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 5, arbitrary: fc.record({ act: fc.constantFrom("say", "say", "send", "exit"), player: ids }) },
    {
      weight: 1,
      arbitrary: fc.record({ act: fc.constant("enter" as const), player: ids, room: fc.constantFrom("a", "b") }),
    },
  );

  test("loses, doubles and reorders nothing, whatever happens between its parts", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 150, size: "max" }), (parts) => {
        const delivery = new Delivery();
        const listeners = new Map<number, Listener>();
        const rooms = new Map<number, string | undefined>();
        const wanted = new Map<number, string>();
        for (let id = 1; id <= 5; id += 1) {
          // Two share a framing, two another, and one has its own.
          const listener = new Listener(id === 5 ? { frame: plain.frame } : sharedFramings[id % 2]);
          listeners.set(id, listener);
          delivery.add(id, listener);
          delivery.enter(id, "a");
          rooms.set(id, "a");
          wanted.set(id, "");
        }
        const expectAt = (id: number, payload: Uint8Array): void => {
          const { framing } = listeners.get(id) as Listener;
          wanted.set(id, wanted.get(id) + hex(framing.frame(payload)));
        };
        for (const [index, step] of parts.entries()) {
          const payload = say(index & 0xff);
          if (step.act === "flush") delivery.flush(step.writes);
          else if (step.act === "send") {
            delivery.send(step.player, payload);
            expectAt(step.player, payload);
          } else if (step.act === "exit") {
            delivery.exit(step.player);
            rooms.set(step.player, undefined);
          } else if (step.act === "enter") {
            delivery.enter(step.player, step.room);
            rooms.set(step.player, step.room);
          } else {
            const room = rooms.get(step.player);
            if (room === undefined) continue;
            delivery.broadcast(room, step.player, payload);
            for (const [id, at] of rooms) if (at === room && id !== step.player) expectAt(id, payload);
          }
        }
        while (delivery.pending) delivery.flush(2);
        for (const [id, { writes }] of listeners)
          expect(writes.map(({ bytes }) => bytes).join("")).toBe(wanted.get(id));
      }),
      { numRuns: 300 },
    );
  });
});

const sharedFramings = [plain, sharedFraming(0xbb)] as const;

type Act =
  | { readonly act: "join" | "enter"; readonly player: number; readonly room: string; readonly framing: number }
  | { readonly act: "send" | "exit" | "remove" | "resume"; readonly player: number; readonly size: number }
  | { readonly act: "slow" | "fast"; readonly player: number }
  | { readonly act: "broadcast"; readonly room: string; readonly except: number | undefined; readonly size: number }
  | { readonly act: "flush" };

const player = fc.integer({ min: 1, max: 6 });
const room = fc.constantFrom("a", "b", "c");
const size = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 6 }) }, fc.integer({ min: 100, max: 250 }));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("join" as const), player, room, framing: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("enter" as const), player, room, framing: fc.constant(0) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("send" as const), player, size }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("exit", "remove", "resume"), player, size: fc.constant(0) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("slow", "fast"), player }) },
  {
    weight: 12,
    arbitrary: fc.record({
      act: fc.constant("broadcast" as const),
      room,
      except: fc.option(player, { nil: undefined }),
      size,
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("flush" as const) }) },
);

/** What the delivery must do, said as simply as can be: a list of frames per player. */
interface Model {
  readonly framing: Framing;
  room: string | undefined;
  waiting: string[];
  lagging: boolean;
  slow: boolean;
  readonly writes: { readonly bytes: string; readonly messages: number }[];
}

test("every recipient gets exactly the frames of a naive model, in order, in at most one write per flush", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120, size: "max" }), (acts) => {
      const delivery = new Delivery();
      const marks = [0xa0, 0xb0];
      const shared = marks.map(sharedFraming);
      const sharedModel = marks.map(sharedFraming);
      const listeners = new Map<number, Listener>();
      const models = new Map<number, Model>();
      const everyone: [Listener, Model][] = [];
      let dropped = 0;
      let broadcasts = 0;
      let said = 0;
      const payload = (length: number): Uint8Array => {
        said += 1;
        return new Uint8Array(length).fill(said & 0xff);
      };
      const give = (model: Model): void => {
        if (model.waiting.length === 0) return;
        model.writes.push({ bytes: model.waiting.join(""), messages: model.waiting.length });
        model.waiting = [];
        if (model.slow) model.lagging = true;
      };

      for (const step of acts) {
        if (step.act === "flush") {
          const before = everyone.map(([listener]) => listener.writes.length);
          delivery.flush();
          for (const model of models.values()) give(model);
          for (const [index, [listener]] of everyone.entries()) {
            expect(listener.writes.length - (before[index] ?? 0)).toBeLessThanOrEqual(1);
          }
          expect(delivery.pending).toBe(false);
          continue;
        }
        if (step.act === "broadcast") {
          const bytes = payload(step.size);
          delivery.broadcast(step.room, step.except, bytes);
          let arrived = false;
          for (const [id, model] of models) {
            if (model.room !== step.room) continue;
            arrived = true;
            if (id === step.except) continue;
            if (model.lagging) dropped += 1;
            else model.waiting.push(hex(model.framing.frame(bytes)));
          }
          if (arrived) broadcasts += 1;
          continue;
        }
        const model = models.get(step.player);
        switch (step.act) {
          case "join": {
            if (model !== undefined) break;
            const framing = shared[step.framing];
            const listener = framing === undefined ? new PrivateListener() : new Listener(framing);
            const fresh: Model = {
              framing: sharedModel[step.framing] ?? privateFraming(),
              room: undefined,
              waiting: [],
              lagging: false,
              slow: false,
              writes: [],
            };
            listeners.set(step.player, listener);
            models.set(step.player, fresh);
            everyone.push([listener, fresh]);
            delivery.add(step.player, listener);
            break;
          }
          case "enter":
            delivery.enter(step.player, step.room);
            if (model !== undefined) model.room = step.room;
            break;
          case "exit":
            delivery.exit(step.player);
            if (model !== undefined) model.room = undefined;
            break;
          case "remove":
            delivery.remove(step.player);
            if (model !== undefined) give(model);
            models.delete(step.player);
            break;
          case "resume":
            delivery.resume(step.player);
            if (model !== undefined) model.lagging = false;
            break;
          case "send": {
            const bytes = payload(step.size);
            delivery.send(step.player, bytes);
            model?.waiting.push(hex(model.framing.frame(bytes)));
            break;
          }
          case "slow":
          case "fast": {
            const listener = listeners.get(step.player);
            if (listener !== undefined && model !== undefined) listener.slow = model.slow = step.act === "slow";
            break;
          }
        }
        expect(delivery.isLagging(step.player)).toBe(models.get(step.player)?.lagging ?? false);
      }

      delivery.flush();
      for (const model of models.values()) give(model);
      const writes = everyone.flatMap(([, model]) => model.writes);
      for (const [listener, model] of everyone) expect(listener.writes).toEqual(model.writes);
      expect(delivery.counts).toEqual({
        broadcasts,
        deliveries: writes.reduce((sum, write) => sum + write.messages, 0),
        bytes: writes.reduce((sum, write) => sum + write.bytes.length / 2, 0),
        writes: writes.length,
        dropped,
      });
    }),
    { numRuns: 400 },
  );
});
