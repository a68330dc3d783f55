import { portalKinds } from "wirewalk/maplestory/maps";
import { footholdsAlong, writtenMap } from "../../../../wirewalk/src/protocols/maplestory/maps/testing/written-map.ts";

/** A map that no demo has, high above where theirs are. */
export const town = writtenMap({
  mapId: 100_000_000,
  title: "Town",
  footholds: footholdsAlong([
    [-3000, -700],
    [3000, -700],
  ]),
  portals: [{ id: 0, kind: portalKinds.start, name: "start", x: 40, y: -700 }],
});
