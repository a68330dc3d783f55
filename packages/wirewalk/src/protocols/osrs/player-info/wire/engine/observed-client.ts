/** The state of an observer's client after the packets so far, from the engine's own memory. */
import { formatHex } from "../../../../../wire/index.ts";
import { type PlayerInfoState, revisionJson } from "../client-state.ts";
import { PLAYER_SLOTS, type WorldTile } from "../constants.ts";
import { type EngineMemory, FLAG, inSet, LOCAL, STATE_WORDS } from "./engine-memory.ts";
import type { KnownBlocks } from "./known-blocks.ts";
import type { MaskStore } from "./mask-store.ts";
import type { OwnPackets } from "./own-packets.ts";

/** The parts of an engine that a client's knowledge is read from. */
export interface ClientSource {
  readonly dialect: string;
  readonly memory: EngineMemory;
  readonly masks: MaskStore;
  readonly known: KnownBlocks;
  readonly own: OwnPackets;
  /** Of slots that got a player since the last tick: where clients have the one before. */
  readonly replaced: ReadonlyMap<number, WorldTile>;
}

/** See `PlayerInfoEngine.clientState`. */
export function observedClient(
  { dialect, memory, masks, known, own, replaced }: ClientSource,
  observer: number,
): PlayerInfoState {
  const { state, quarter, sentLevel, sentX, sentZ } = memory;
  const base = observer * STATE_WORDS;
  const skipped = new Uint8Array(PLAYER_SLOTS / 8);
  const players: (readonly [number, number, number, number])[] = [];
  const quarters: (readonly [number, number])[] = [];
  const blocks: (readonly [number, string])[] = [];
  for (let index = 1; index < PLAYER_SLOTS; index++) {
    const isLocal = inSet(state, index, base + LOCAL, 2);
    if (inSet(state, index, base + FLAG, 2)) {
      skipped[index >> 3] = (skipped[index >> 3] as number) | (1 << (index & 7));
    }
    if (isLocal) {
      const before = index === observer ? undefined : replaced.get(index);
      const { level, x, z } = before ?? {
        level: sentLevel[index] as number,
        x: sentX[index] as number,
        z: sentZ[index] as number,
      };
      players.push([index, level, x, z]);
    } else if (quarter[index] !== 0) {
      quarters.push([index, quarter[index] as number]);
    }
    const isFresh = replaced.has(index) || own.isWaiting(observer, index);
    const kept = masks.keptBytes(index, known.combination(observer, index, isLocal && !isFresh));
    if (kept !== undefined) blocks.push([index, formatHex(kept, { separator: "" })]);
  }
  return {
    dialect,
    revision: revisionJson(masks.revision),
    index: observer,
    players,
    quarters,
    skipped: formatHex(skipped, { separator: "" }),
    masks: blocks,
  };
}
