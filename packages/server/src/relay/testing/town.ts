import { createMap } from "wirewalk/maplestory/maps";

/** A map that no demo has, high above where theirs are. */
export const town = createMap({
  mapId: 100_000_000,
  title: "Town",
  platforms: [
    [
      [-3000, -700],
      [3000, -700],
    ],
  ],
  portals: [{ name: "start", x: 40, y: -700 }],
});
