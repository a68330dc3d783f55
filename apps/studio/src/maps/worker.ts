/** The worker that reads dropped maps. Only workers can read files at once, as readers of maps do. */
import { mapReadings } from "../games/map-readings.ts";
import type { Port } from "../inspect/source/worker-messages.ts";
import type { FromMaps, ToMaps } from "./messages.ts";
import { readBlob } from "./read-blob.ts";
import { serveMaps } from "./serve-maps.ts";

serveMaps({ port: globalThis as unknown as Port<FromMaps, ToMaps>, readings: mapReadings, read: readBlob });
