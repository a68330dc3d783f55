/** Reads dropped maps of this game, without the rest of it. */
export { gridReading as mapReading } from "wirewalk/scrap-mechanic/maps";
