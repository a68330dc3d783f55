/**
 * Connects a protocol to a transport: clients, and bots that play through them.
 *
 * @module
 */
export { type Client, type ClientCounts, type ClientOptions, connectClient } from "./client.ts";
export { type BotRun, type BotRunOptions, runBot } from "./run-bot.ts";
