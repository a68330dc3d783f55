/** Reads dropped maps of this game, without the rest of it. */
export { slimeMapReading as mapReading } from "wirewalk/slime-online-2/maps";
