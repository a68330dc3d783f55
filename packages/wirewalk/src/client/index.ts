/**
 * Connects a protocol to a transport: clients, and bots that play through them.
 *
 * @module
 */
export * from "./client.ts";
export * from "./run-bot.ts";
