/** Streams that arrive in pieces. */
import type { Framer } from "../../../packages/wirewalk/src/protocols/framed-channel.ts";

/** What takes a stream: a deframer, or one end of a connection. `isRestored`: it takes over what another one saved. */
type OpenReceiver = (isRestored: boolean) => Omit<Framer, "frame">;

type ReadSplit = (open: OpenReceiver, stream: Uint8Array, step: number, restoreAt: number) => string;

/**
 * Reads a stream that arrives in pieces of `step` bytes: its payloads and its refusal, as text. Behind the piece with byte `restoreAt`
 * (-1: none) the receiver is saved, and a restored one goes on.
 */
export async function splitReader(): Promise<ReadSplit> {
  const { WireError } = await import("wirewalk/wire");
  return (open, stream, step, restoreAt) => {
    let receiver = open(false);
    const taken: string[] = [];
    const guarded = (work: () => void): boolean => {
      try {
        work();
        return true;
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        taken.push(`${error.code} ${error.bitOffset}`);
        return false;
      }
    };
    const read = (): void => {
      for (let next = receiver.next(); next !== undefined; next = receiver.next()) taken.push(next.join(" "));
    };
    for (let at = 0; at < stream.length; at += step) {
      const isFine = guarded(() => receiver.push(stream.subarray(at, at + step)));
      if (at <= restoreAt && restoreAt < at + step) {
        const { pending } = receiver;
        const saved = structuredClone(receiver.save());
        receiver = open(true);
        receiver.restore(saved);
        if (receiver.pending !== pending) throw new Error(`${pending} bytes held, restored ${receiver.pending}`);
      }
      if (!guarded(read) || !isFine) break;
    }
    return taken.join("; ");
  };
}
