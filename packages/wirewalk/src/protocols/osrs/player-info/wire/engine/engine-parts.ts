/** The parts of an engine, which share its memory. */
import type { WorldTile } from "../constants.ts";
import type { EngineMemory } from "./engine-memory.ts";
import type { KnownBlocks } from "./known-blocks.ts";
import type { MaskStore } from "./mask-store.ts";
import type { ObserverViews } from "./observer-views.ts";
import type { OwnPackets } from "./own-packets.ts";
import type { PacketWriter } from "./packet-writer.ts";
import type { SharedPackets } from "./shared-packets.ts";

export interface EngineParts {
  readonly memory: EngineMemory;
  readonly masks: MaskStore;
  readonly views: ObserverViews;
  readonly writer: PacketWriter;
  readonly known: KnownBlocks;
  readonly shared: SharedPackets;
  readonly own: OwnPackets;
  /** 1 for players that only they themselves see. */
  readonly hidden: Uint8Array;
  /** Of slots that got a player since the last tick: where clients have the one before. */
  readonly replaced: Map<number, WorldTile>;
}
