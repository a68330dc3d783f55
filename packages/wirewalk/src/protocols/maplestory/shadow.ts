/** A world of MapleStory beside another server: maps and their fieldKeys are what that server sends. */
import type { Shadowing } from "../shadow.ts";
import type { MapleServerMessage } from "./wire/codec.ts";
import { MapleWorld } from "./world/world.ts";

/** Capability `shadow`. */
export const mapleShadow: Shadowing = {
  // The other server's monsters, pets and summons are not in this world.
  unknownRules: [
    "pet-owner",
    "summon-owner",
    "dragon-owner",
    "monster-elsewhere",
    "monster-control",
    "aggro-rate",
    "aggro-far",
  ],
  observe(world, player, message, nowMs) {
    const sent = message as MapleServerMessage;
    if (sent.message !== "changeMap" || !(world instanceof MapleWorld)) return;
    const { channel, fieldKey, target } = sent.value;
    // The map of a whole character stands within its data, which is not read.
    const to = target.content === "map" ? { mapId: target.mapId, portal: target.spawnPoint } : {};
    // Channels count from 0 on the wire.
    world.adoptMap(player, { ...to, channel: channel + 1, fieldKey }, nowMs);
  },
};
