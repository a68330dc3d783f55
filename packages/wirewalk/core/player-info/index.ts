/**
 * The hot path of the player-info engine: who is in view, and the packets of a tick, on the engine's own memory. Compiled by
 * `npm run build:core`; the engine in TypeScript makes the same bytes.
 */
export { setup } from "./memory";
export { beginTick } from "./tick";
export { applyStandings, viewLevel, viewSquare } from "./views";
export { writePacket } from "./packet";
