/**
 * Ports to the world outside, and what stands in for it in tests and simulations: clocks, transports, stores.
 *
 * @module
 */
export * from "./clock.ts";
export * from "./inbox.ts";
export * from "./memory-pair.ts";
export * from "./network-conditions.ts";
export * from "./store.ts";
export * from "./transport.ts";
export * from "./virtual-clock.ts";
export * from "./websocket.ts";
