/** Compares the decoder with the second client on the same packets. */
import { isDeepStrictEqual } from "node:util";
import type { PlayerInfoDecoder } from "../wire/decoder.ts";
import type { PlayerInfoUpdate } from "../wire/player-info-update.ts";
import { SecondClient } from "./second-client.ts";

/** A second client beside a decoder; undefined for a revision whose blocks it does not know. */
export function secondClientFor(decoder: PlayerInfoDecoder): SecondClient | undefined {
  const { dialect, local, revision } = decoder;
  const { name } = revision;
  if (name !== "206" && name !== "none") return undefined;
  const second = new SecondClient(dialect.name === "documented" ? "documented" : "client", name);
  for (let index = 1; index < local.length; index++) {
    if (decoder.appearanceOf(index) !== undefined) second.appearances.add(index);
  }
  return second;
}

/** Reads a packet that the decoder has just read. Throws an error that names the difference. */
export function mustAgree(
  second: SecondClient,
  decoder: PlayerInfoDecoder,
  packet: Uint8Array,
  { masks, wouldCrash }: PlayerInfoUpdate,
): void {
  const read = second.read(packet);
  masks.forEach(({ index, blocks }, at) => {
    const [secondIndex, secondBlocks] = read[at] ?? [];
    if (secondIndex === index && isDeepStrictEqual(secondBlocks, blocks)) return;
    const [ours, theirs] = [[index, blocks], read[at]].map(show);
    throw new Error(`The second client reads masks ${theirs}, the decoder ${ours}`);
  });
  if (read.length !== masks.length) throw new Error(`The second client reads masks of ${read.length} players`);
  if (wouldCrash.length !== second.crashes.length) {
    throw new Error(`The second client crashes by ${show(second.crashes)}, the decoder by ${show(wouldCrash)}`);
  }
  mustHaveTheSame(second, decoder);
}

/** Compares the state of the two between packets. */
export function mustHaveTheSame(second: SecondClient, decoder: PlayerInfoDecoder): void {
  const { local, x, z, level, quarters, flags } = decoder;
  for (let index = 1; index < local.length; index++) {
    const player = second.locals.get(index);
    const [quarterLevel = 0, quarterX = 0, quarterZ = 0] = second.quarters.get(index) ?? [];
    const isSame =
      (player !== undefined) === (local[index] === 1) &&
      second.inactive.has(index) === (flags[index] === 1) &&
      (player === undefined
        ? quarters[index] === quarterLevel * 2 ** 28 + quarterX * 2 ** 14 + quarterZ
        : player.x === x[index] && player.z === z[index] && player.level === level[index]);
    if (!isSame) throw new Error(`The second client and the decoder differ in what they know of player ${index}`);
  }
}

function show(masks: unknown): string {
  return JSON.stringify(masks, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value));
}
