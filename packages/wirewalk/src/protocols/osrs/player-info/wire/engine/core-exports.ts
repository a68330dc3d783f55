/** What the core exports, as far as the engine uses it: see docs/player-info-core.md. All numbers are addresses, counts and flags. */
export interface CoreExports {
  /** Address of the list of requests, and of the first byte that is not the core's. */
  readonly requests: { readonly value: number };
  readonly free: { readonly value: number };
  setup(
    dialect: number,
    viewDistance: number,
    maxLocals: number,
    keptByIndex: number,
    masks: number,
    packets: number,
    packetsBytes: number,
  ): void;
  beginTick(tick: number): void;
  makePackets(): number;
  stoppedAt(): number;
  requestCount(): number;
  packetPlace(): number;
  acceptPacket(bytes: number): void;
  leaveToHost(): void;
  endTick(): number;
  writeInitialisation(observer: number, to: number): number;
  // What an engine does itself.
  addPlayer(index: number, level: number, x: number, z: number): number;
  removePlayer(index: number): number;
  movePlayer(index: number, x: number, z: number): number;
  setMasks(index: number, start: number, length: number): number;
  observe(index: number): number;
  reusePackets(): void;
}

/** The build for threads has these too: see `thread.ts` of the core. */
export interface SharedCoreExports extends CoreExports {
  /** Bytes of the work area of a thread. */
  readonly workBytes: { readonly value: number };
  /** How many other threads help. */
  helpers(): number;
  /** All others return. The engine goes on alone. */
  endHelp(): void;
  /** A thread that does not answer for so many milliseconds counts as dead: default 10,000. */
  setPatience(ms: number): void;
}
