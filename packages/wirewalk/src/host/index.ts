/** Runs a world for sessions: ids, rooms, delivery. Pure. */
export { Delivery, type DeliveryCounts, type Framing, type Recipient } from "./delivery.ts";
export { Host, type HostEvents, type HostOptions } from "./host.ts";
