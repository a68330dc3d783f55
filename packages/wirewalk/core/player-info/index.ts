/**
 * The hot path of the player-info engine: all packets of a tick. Compiled by `npm run build:core`; the engine in TypeScript
 * makes the same bytes. `docs/player-info-core.md` describes it for hosts in other languages.
 */
export { setup } from "./memory";
// Addresses of regions, as constants of the module.
export {
  CHANGED as changed,
  CHOOSY as choosy,
  ENGINE_END as free,
  ENTER_KEPT as enterKept,
  FIRST as first,
  HAS as has,
  KNOWN as known,
  LACKED as lacked,
  LEVEL as level,
  MASK_LENGTH as maskLength,
  MASK_LIST as requests,
  MASK_START as maskStart,
  MASKED as masked,
  MOVED as moved,
  NEVER as never,
  OBSERVING as observing,
  OWED as owed,
  PACKET_END as packetEnd,
  PACKET_START as packetStart,
  PRESENT as present,
  QUARTER as quarter,
  RADIUS as radius,
  REUSED as reused,
  SENT_LEVEL as sentLevel,
  SENT_X as sentX,
  SENT_Z as sentZ,
  SPECIAL as special,
  STATES as states,
  TELEPORTED as teleported,
  VARIANT_LENGTH as variantLength,
  VARIANT_START as variantStart,
  VARIANT_TICK as variantTick,
  VIEW as view,
  VISIBLE as visible,
  X as x,
  Z as z,
} from "./memory";
export {
  acceptPacket,
  beginTick,
  leaveOutMasks,
  leaveToHost,
  makePackets,
  packetPlace,
  requestCount,
  reusePackets,
  stoppedAt,
} from "./packets";
export {
  addPlayer,
  hidePlayer,
  movePlayer,
  observe,
  removePlayer,
  sees,
  setEntering,
  setKept,
  setMasks,
  setStanding,
  teleportPlayer,
  unobserve,
  writeInitialisation,
} from "./players";
export { endTick } from "./tick";

/** The version of these functions and addresses: another one when a host must change. */
export const version: i32 = 1;
