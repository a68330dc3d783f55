/**
 * What needs Node: TCP.
 *
 * @module
 */
export * from "./tcp.ts";
