/** The readers of dropped maps: a worker has these alone, and no world. In the order in which they are tried. */
import type { MapReading } from "wirewalk/protocol";
import { mapReading as mapleStory } from "./maplestory/map-reading.ts";
import { mapReading as osrs } from "./osrs/map-reading.ts";
import { mapReading as scrapMechanic } from "./scrap-mechanic/map-reading.ts";
import { mapReading as slimeOnline2 } from "./slime-online-2/map-reading.ts";

export const mapReadings: readonly MapReading[] = [slimeOnline2, osrs, mapleStory, scrapMechanic];
