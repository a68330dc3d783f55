/** The lists and the card beside the drawing, as data. Pure. */
import type { MapleMap } from "wirewalk/maplestory/maps";
import type { CardState } from "../panel/card.tsx";
import type { LaneRow } from "../panel/lanes.tsx";
import type { Actor } from "../play/actor.ts";
import { colourOf, nameOf, truthOf, type ViewState } from "./figures.ts";
import type { Lane } from "./time-line.ts";

/** A lane's name and its last packet. */
export function laneRow(actor: Actor, lane: Lane, view: ViewState): LaneRow {
  const { key, kind } = actor;
  const block = lane.blocks.findLast(({ isOpen }) => !isOpen);
  return {
    key,
    kind,
    name: nameOf(actor),
    selected: key === view.selection.selected,
    colour: colourOf(actor, view),
    last: block === undefined ? undefined : { durationMs: block.batch.durationMs, lateMs: block.lateMs },
  };
}

/** The card of the selection: the packet under the pointer, else the clicked one, else the newest of the selected actor. */
export function cardOf(
  find: (key: string) => Actor | undefined,
  where: { readonly dialect: string; readonly map: MapleMap | undefined },
  view: ViewState,
): CardState | undefined {
  const { selection, shownMs, policy } = view;
  const { at } = selection;
  const actor = find(at?.key ?? selection.selected ?? "");
  if (actor === undefined) return undefined;
  const batch = at?.of ?? actor.batches.findLast(({ arrivesMs }) => arrivesMs <= shownMs);
  const [ghost, truth] = [actor.ghost(policy), truthOf(actor, view)];
  return {
    ...where,
    name: nameOf(actor),
    kind: actor.kind,
    colour: colourOf(actor, view),
    driver: actor.driver,
    ghost,
    behindPx: ghost === undefined || truth === undefined ? 0 : Math.hypot(ghost.x - truth.x, ghost.y - truth.y),
    batch,
    lateMs: batch === undefined ? 0 : Math.max(0, batch.arrivesMs - actor.endOf(batch)),
    fragment: at?.fragment,
    pinned: !selection.isHovering,
  };
}
