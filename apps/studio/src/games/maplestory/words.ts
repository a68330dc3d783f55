/** What the drawing says, in words: for the lists and the card beside it. Pure. */
import type { MapleMap } from "wirewalk/maplestory";
import type { Actor } from "./actor.ts";
import { colourOf, type Eyes, nameOf, truthOf } from "./figures.ts";
import type { CardState, LaneRow } from "./panel.tsx";
import type { Lane } from "./time-line.ts";

/** A lane's name and its last packet. */
export function laneRow(actor: Actor, lane: Lane, eyes: Eyes): LaneRow {
  const { key, kind } = actor;
  const block = lane.blocks.findLast(({ isOpen }) => !isOpen);
  return {
    key,
    kind,
    name: nameOf(actor),
    selected: key === eyes.looking.selected,
    colour: colourOf(actor, eyes),
    last: block === undefined ? undefined : { durationMs: block.batch.durationMs, lateMs: block.lateMs },
  };
}

/** What is looked at: the packet under the pointer, else the one that was clicked, else the newest of who was chosen. */
export function cardOf(
  find: (key: string) => Actor | undefined,
  where: { readonly dialect: string; readonly map: MapleMap | undefined },
  eyes: Eyes,
): CardState | undefined {
  const { looking, shownMs, policy } = eyes;
  const { at } = looking;
  const actor = find(at?.key ?? looking.selected ?? "");
  if (actor === undefined) return undefined;
  const batch = at?.of ?? actor.batches.findLast(({ arrivesMs }) => arrivesMs <= shownMs);
  const [ghost, truth] = [actor.ghost(policy), truthOf(actor, eyes)];
  return {
    ...where,
    name: nameOf(actor),
    kind: actor.kind,
    colour: colourOf(actor, eyes),
    driver: actor.driver,
    ghost,
    behindPx: ghost === undefined || truth === undefined ? 0 : Math.hypot(ghost.x - truth.x, ghost.y - truth.y),
    batch,
    lateMs: batch === undefined ? 0 : Math.max(0, batch.arrivesMs - actor.endOf(batch)),
    fragment: at?.fragment,
    pinned: !looking.isHovering,
  };
}
