/** What the browser calls the page: the most particular first, since tabs are narrow. */
import type { Studio } from "../app/studio.ts";

export function titleOf(studio: Studio, isInspecting: boolean): string {
  if (isInspecting) return "Inspector - Wirewalk";
  const unknown = studio.unknown.value;
  if (unknown !== undefined) return `Unknown: ${unknown} - Wirewalk`;
  const [world, room, inspected] = [studio.world.value, studio.room.value, studio.inspected.value];
  if (world === undefined) return "Wirewalk";
  const isChosen = !studio.opensNewest.value;
  const what =
    inspected?.kind === "verdict"
      ? [`${inspected.verdict.rule} of ${studio.nameOf(inspected.verdict.player)}`]
      : isChosen && inspected?.kind === "player"
        ? [studio.nameOf(inspected.player)]
        : [];
  const where = room === undefined ? [] : [`room ${room}`];
  const name = world.name === world.protocol ? world.title : `${world.name}, ${world.title}`;
  return [...what, ...where, name, "Wirewalk"].join(" - ");
}
