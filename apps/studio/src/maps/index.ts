/** Dropped maps as a chunk of the page: loaded when the first are dropped. */
import type { ServedWorld } from "@wirewalk/server/feed";
import { h, type VNode } from "preact";
import type { DroppedFiles } from "../files/dropped-files.ts";
import { type DroppedMaps, type MapsWorker, openDroppedMaps } from "./dropped-maps.ts";
import { MapsHead, type MapsHeadProps } from "./maps-head.tsx";
import { MapsSocket } from "./maps-socket.ts";
import "./maps.css";

export type { DroppedMaps } from "./dropped-maps.ts";

/** Rejects with the reason where the files have no maps of any game. */
export function openMaps({ name, files }: DroppedFiles): Promise<DroppedMaps> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return openDroppedMaps(name, files, worker as unknown as MapsWorker);
}

/** A feed that shows the places of maps, without players. */
export function openSocket(maps: DroppedMaps): MapsSocket {
  const world: ServedWorld = {
    name: maps.game,
    protocol: maps.game,
    title: maps.name,
    dialect: dialects[maps.game] ?? "",
    path: "",
    listen: null,
    demo: null,
    settings: {},
  };
  return new MapsSocket({ world, first: firstOf(maps) });
}

/** Of no meaning for a map, but a view reads its world's messages by one. */
const dialects: Readonly<Record<string, string>> = { maplestory: "v83" };

/** A town that every client has, where new players begin; else the first. */
const FIRST_TOWN = "100000000";

function firstOf({ places }: DroppedMaps): string {
  return places.includes(FIRST_TOWN) ? FIRST_TOWN : (places[0] ?? "");
}

export function headOf(props: MapsHeadProps): VNode {
  return h(MapsHead, props) as VNode;
}
