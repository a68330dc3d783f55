/** Runs a world for sessions: ids, rooms, delivery. Pure. */
export type { DeliveryCounts, Framing, Recipient } from "./delivery.ts";
export { Host, type HostEvents, type HostOptions } from "./host.ts";
export type { HostRecorder } from "./host-recorder.ts";
export type { HostTap } from "./host-tap.ts";
export { framePayloads, payloadFraming } from "./private-frames.ts";
export { ReusedBuffer } from "./reused-buffer.ts";
export { ShadowHost, type ShadowHostOptions, type ShadowRecorder, shadowOptions } from "./shadow-host.ts";
