/**
 * What every transport must do: run it over each of them.
 *
 * ```ts
 * describeTransport("TCP", async () => {
 *   const [near, far] = await connectOverLoopback();
 *   return { near, far, dispose: () => server.close() };
 * });
 * ```
 *
 * @module
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Transport } from "../transport.ts";

/** Two connected ends that nobody listens to yet. */
export interface TransportPair {
  readonly near: Transport;
  readonly far: Transport;
  /** Lets time pass that is not the machine's own. */
  turn?(): void;
  /** Takes down what held the connection. */
  dispose?(): void | Promise<void>;
}

/** What one end has received. */
interface Heard {
  readonly chunks: Uint8Array[];
  readonly closed: string[];
  readonly length: number;
}

/** Waits of a test end here: loopback needs milliseconds, a busy machine may need more. */
const PATIENCE_MS = 10_000;

/** The shared suite. `open` makes a fresh pair for each test; each rule is tried in both directions. */
export function describeTransport(name: string, open: () => Promise<TransportPair> | TransportPair): void {
  describe(name, () => {
    let pair: TransportPair | undefined;

    afterEach(async () => {
      pair?.near.close();
      pair?.far.close();
      pair?.turn?.();
      await pair?.dispose?.();
      pair = undefined;
    });

    const turn = async (): Promise<void> => {
      pair?.turn?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const until = async (holds: () => boolean): Promise<void> => {
      const deadline = performance.now() + PATIENCE_MS;
      while (!holds() && performance.now() < deadline) await turn();
      expect(holds()).toBe(true);
    };
    /** Time in which nothing more should happen. */
    const settle = async (): Promise<void> => {
      for (let turns = 0; turns < 20; turns++) await turn();
    };

    describe.each(["near to far", "far to near"])("%s", (direction) => {
      const connect = async (): Promise<{ from: Transport; to: Transport }> => {
        pair = await open();
        return direction === "near to far" ? { from: pair.near, to: pair.far } : { from: pair.far, to: pair.near };
      };

      test("bytes arrive complete and in order", async () => {
        const { from, to } = await connect();
        const arrived = listen(to);
        const sent = Array.from({ length: 100 }, (_, index) => pattern(1 + ((index * 37) % 300), index));
        for (const bytes of sent) from.send(bytes);
        await until(() => arrived.length >= sum(sent));
        expect(joined(arrived.chunks)).toEqual(joined(sent));
      });

      test("a message carrier keeps messages whole, an empty one too; a stream keeps their bytes", async () => {
        const { from, to } = await connect();
        const arrived = listen(to);
        const sent = [new Uint8Array([1]), new Uint8Array(), pattern(300, 5), new Uint8Array([2, 3])];
        for (const bytes of sent) from.send(bytes);
        await until(() => arrived.length >= sum(sent));
        if (from.carrier === "message") expect(arrived.chunks).toEqual(sent);
        else expect(joined(arrived.chunks)).toEqual(joined(sent));
      });

      test("what arrives is plain bytes that the receiver may keep and change", async () => {
        const { from, to } = await connect();
        const arrived = listen(to);
        const sent = new Uint8Array([1, 2, 3, 4]);
        from.send(sent);
        await until(() => arrived.length >= 4);
        const first = arrived.chunks[0] as Uint8Array;
        expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype);
        first.fill(9);
        from.send(new Uint8Array([5, 6, 7, 8]));
        await until(() => arrived.length >= 8);
        expect(first.every((byte) => byte === 9)).toBe(true);
        expect(sent).toEqual(new Uint8Array([1, 2, 3, 4]));
      });

      test("a part of a larger buffer is sent as just that part", async () => {
        const { from, to } = await connect();
        const arrived = listen(to);
        from.send(new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4));
        await until(() => arrived.length >= 3);
        await settle();
        expect(joined(arrived.chunks)).toEqual(new Uint8Array([1, 2, 3]));
      });

      test("nothing that arrives before listen is lost, the end included", async () => {
        const { from, to } = await connect();
        const sender = listen(from);
        const sent = [pattern(500, 1), pattern(7, 2)];
        for (const bytes of sent) from.send(bytes);
        from.close("early");
        await settle();
        const arrived = listen(to);
        await until(() => arrived.closed.length > 0 && sender.closed.length > 0);
        expect(joined(arrived.chunks)).toEqual(joined(sent));
        expect(arrived.closed).toHaveLength(1);
      });

      test("a second `listen` is refused", async () => {
        const { from } = await connect();
        listen(from);
        expect(() => listen(from)).toThrow(Error);
      });

      test("events never come during listen, send or close", async () => {
        const { from, to } = await connect();
        const far = listen(to);
        to.send(new Uint8Array([1]));
        await settle();
        const near = listen(from);
        expect(near.length).toBe(0);
        from.send(new Uint8Array([2]));
        from.close();
        expect(near.closed).toEqual([]);
        expect(far.length).toBe(0);
        await until(() => near.closed.length > 0 && far.closed.length > 0);
      });

      test("`closed` is called once on both sides; the closing side receives its own reason", async () => {
        const { from, to } = await connect();
        const near = listen(from);
        const far = listen(to);
        from.close("enough");
        from.close("more than enough");
        await until(() => near.closed.length > 0 && far.closed.length > 0);
        to.close("late");
        await settle();
        expect(near.closed).toEqual(["enough"]);
        expect(far.closed).toHaveLength(1);
        expect(far.closed[0]).not.toBe("");
      });

      test("what was sent before a close arrives before it", async () => {
        const { from, to } = await connect();
        const near = listen(from);
        const far = listen(to);
        to.send(pattern(10_000, 3));
        const sent = pattern(200_000, 4);
        from.send(sent);
        from.close();
        await until(() => near.closed.length > 0 && far.closed.length > 0);
        expect(joined(far.chunks)).toEqual(sent);
      });

      test("both sides may close at once", async () => {
        const { from, to } = await connect();
        const near = listen(from);
        const far = listen(to);
        from.close("one");
        to.close("other");
        await until(() => near.closed.length > 0 && far.closed.length > 0);
        await settle();
        expect([near.closed, far.closed]).toEqual([["one"], ["other"]]);
      });

      test("after its own close a side receives no bytes", async () => {
        const { from, to } = await connect();
        const near = listen(from);
        const far = listen(to);
        to.send(pattern(100, 1));
        from.close();
        to.send(pattern(100, 2));
        await until(() => near.closed.length > 0 && far.closed.length > 0);
        expect(near.length).toBe(0);
      });

      test("sending after a close does nothing, on either side", async () => {
        const { from, to } = await connect();
        const near = listen(from);
        const far = listen(to);
        from.close();
        from.send(new Uint8Array([1]));
        await until(() => near.closed.length > 0 && far.closed.length > 0);
        from.send(new Uint8Array([2]));
        to.send(new Uint8Array([3]));
        await settle();
        expect([near.length, far.length, from.queuedBytes, to.queuedBytes]).toEqual([0, 0, 0, 0]);
      });

      test("a listener that is attached after the end receives the end", async () => {
        const { from, to } = await connect();
        listen(to);
        from.close("before anybody listened");
        await settle();
        const near = listen(from);
        await until(() => near.closed.length > 0);
        expect(near.closed).toEqual(["before anybody listened"]);
      });

      test("a large payload is queued, arrives, and leaves nothing queued", async () => {
        const { from, to } = await connect();
        const arrived = listen(to);
        expect(from.queuedBytes).toBe(0);
        const sent = pattern(8 << 20, 6);
        from.send(sent);
        expect(from.queuedBytes).toBeGreaterThan(0);
        await until(() => arrived.length >= sent.length && from.queuedBytes === 0);
        expect(Buffer.compare(joined(arrived.chunks), sent)).toBe(0);
      });
    });
  });
}

function listen(transport: Transport): Heard {
  const arrived = { chunks: [] as Uint8Array[], closed: [] as string[], length: 0 };
  transport.listen({
    bytes(bytes) {
      expect(arrived.closed).toEqual([]);
      arrived.chunks.push(bytes);
      arrived.length += bytes.length;
    },
    closed: (reason) => arrived.closed.push(reason),
  });
  return arrived;
}

/** Bytes that differ from place to place and from seed to seed. */
function pattern(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = index * 31 + (index >> 8) * 7 + seed;
  return bytes;
}

function sum(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((length, chunk) => length + chunk.length, 0);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(sum(chunks));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
