/** What owners of a world send, read and played again by nothing but the world. */
import type { Cluster } from "wirewalk/net";
import type { Protocol, World } from "wirewalk/protocol";
import { type Batch, BatchReader, decodePart, type LoggedCalls, type SentEffect } from "../cluster/batch.ts";
import { worldSubjects } from "../cluster/subjects.ts";

/** Every batch that any owner sends, as it comes. */
export function recordBatches(cluster: Cluster, world: string, heard: (batch: Batch) => void = () => {}): Batch[] {
  const batches: Batch[] = [];
  const readers = new Map<number, BatchReader>();
  cluster.subscribe(worldSubjects(world).output, ({ bytes }) => {
    const part = decodePart(bytes);
    if (part === undefined) throw new Error("no part of a batch");
    const reader = readers.get(part.head.epoch) ?? new BatchReader();
    readers.set(part.head.epoch, reader);
    const batch = reader.take(part);
    if (batch === undefined) return;
    batches.push(batch);
    heard(batch);
  });
  return batches;
}

/** Plays logged calls with nothing but the world. */
export function replay(
  world: World,
  codec: ReturnType<Protocol["codec"]>,
  calls: readonly LoggedCalls[],
): SentEffect[] {
  const effects: SentEffect[] = [];
  for (const { nowMs, calls: each } of calls) {
    for (const call of each) {
      if (call.call === "tick") world.tick(nowMs);
      else if (call.call === "join") world.join(call.player, call.joining, nowMs);
      else if (call.call === "leave") world.leave(call.player, nowMs);
      else if (call.call === "receive") {
        world.receive(call.player, codec.read("client", call.payload), call.payload, nowMs);
      }
      for (const effect of world.takeEffects()) {
        if (effect.effect === "send" || effect.effect === "broadcast") {
          const { message, ...rest } = effect;
          effects.push({ ...rest, payload: codec.write("server", message).slice() });
        } else effects.push(effect);
      }
    }
  }
  return effects;
}

/** What the owner says of its world now: the next batch, and the digest before it. */
export async function askOwner(
  cluster: Cluster,
  world: string,
): Promise<{ readonly digest: string; readonly batch: number }> {
  const ask = new TextEncoder().encode('{"digest":true}');
  const answer = await cluster.request(worldSubjects(world).owner, ask, 10_000);
  return JSON.parse(new TextDecoder().decode(answer)) as { digest: string; batch: number };
}
