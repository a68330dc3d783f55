/** The game's reader of places, as commands, servers and pages take it. */
import type { MapReading } from "../../index.ts";
import { loadMaps } from "./load.ts";
import { mapsOfExcerpt } from "./maple-maps.ts";

/** Reads maps of MapleStory. */
export const mapReading: MapReading = {
  forms:
    "an XML dump of Map.wz (with Mob.wz, Skill.wz and String.wz beside it, where they are there), or one of its maps",
  columns: {
    map: "map",
    link: "linked to",
    footholds: "footholds",
    vertical: "walls",
    reversed: "undersides",
    ropes: "ropes",
    ladders: "ladders",
    portals: "portals",
    seats: "seats",
    left: "left",
    top: "top",
    right: "right",
    bottom: "bottom",
    swim: "swims",
    fly: "flies",
    friction: "friction",
    omitted: "left out",
  },
  load: loadMaps,
  ofExcerpt: mapsOfExcerpt,
};
