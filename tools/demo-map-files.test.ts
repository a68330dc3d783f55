import { expect, test } from "vitest";
import { demoMapIds, demoMaps, loadMaps } from "wirewalk/maplestory/maps";
import { openMapFiles } from "wirewalk/protocol";
import { committedDemoFiles, demoFilesText } from "./demo-map-files.ts";

test("the demo's maps in the library are those of its files", () => {
  expect(committedDemoFiles()).toBe(demoFilesText());
  const maps = loadMaps(openMapFiles("packages/wirewalk/maps/maplestory"));
  expect(maps.places()).toEqual(demoMapIds.map(String));
  for (const map of demoMaps()) expect(JSON.stringify(maps.map(map.mapId))).toBe(JSON.stringify(map));
});
