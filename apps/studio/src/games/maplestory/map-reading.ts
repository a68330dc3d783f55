/** Reads dropped maps of this game, without the rest of it. */
export { mapleMapReading as mapReading } from "wirewalk/maplestory/maps";
