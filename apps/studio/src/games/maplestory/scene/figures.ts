/** What is drawn of each actor: truth, ghost, packets. Pure. */
import type { Point } from "wirewalk/maplestory";
import type { ViewSettings } from "../../game-view.ts";
import { playerColour } from "../../palette.ts";
import type { Actor, Standing } from "../play/actor.ts";
import type { MaplePlay } from "../play/play.ts";
import type { Figure } from "./figure-drawing.ts";
import type { MaplePalette } from "./marks.ts";
import type { DrawnBatch } from "./path-drawing.ts";
import type { Selection } from "./selection.ts";
import { SPECTATOR_DELAY_MS } from "./view-clock.ts";

/** How long packets stay on the map: those of the selected actor, and those of others. */
const SELECTED_PATH_MS = 4_000;
const PATH_MS = 1_900;

/** With more players than this, names would hide the map: only the selected actor has one. */
const MAX_NAMES = 20;

/** Movement that no packet has reported yet is drawn in steps of the client. */
const STEP_MS = 30;

/** The middle of a body above its feet, in the map's pixels: where people click. */
const MIDDLE_PX = 20;

/** What the drawing depends on, besides the actors. */
export interface ViewState {
  readonly nowMs: number;
  readonly shownMs: number;
  readonly play: Pick<MaplePlay, "ownKey" | "own" | "driven" | "unsent"> | undefined;
  readonly policy: string;
  readonly selection: Selection;
  readonly settings: ViewSettings;
  readonly colours: MaplePalette;
}

export interface DrawnFigure extends Figure {
  readonly key: string;
}

/** Where an actor is. `isLive`: known for the drawn time, not only for its last packet. */
export interface ShownTruth extends Standing {
  readonly isLive: boolean;
}

/** `localeCompare` makes one for every comparison: with 100 players that was a third of the drawing's own time. */
const names = new Intl.Collator("en", { numeric: true });

/** The own character, then players by name, then the rest by number: lanes keep their order. */
export function sortActors(actors: Iterable<Actor>, own: string | undefined): readonly Actor[] {
  const rank = ({ key, kind }: Actor): number => (key === own ? 0 : kind === "player" ? 1 : kind === "monster" ? 2 : 3);
  return [...actors].sort((a, b) => rank(a) - rank(b) || names.compare(a.name ?? "", b.name ?? "") || a.id - b.id);
}

export function nameOf({ name = "", kind, id }: Actor): string {
  return name === "" ? `${kind === "monster" ? "mob" : kind} ${id}` : name;
}

export function colourOf({ key, kind, id }: Actor, { play, colours }: ViewState): string {
  if (key === play?.ownKey) return colours.accent;
  return kind === "monster" ? colours["maple-monster"] : playerColour(colours, id);
}

/** Undefined while nothing is known. A player knows the present only of its own character and monsters. */
export function truthOf(actor: Actor, { play, nowMs, shownMs }: ViewState): ShownTruth | undefined {
  const own = actor.key === play?.ownKey ? play.own(nowMs) : undefined;
  const live = own ?? (actor.kind === "monster" ? play?.driven(actor.id) : undefined);
  if (live !== undefined) return { ...live, isLive: true };
  const truth = actor.truth(shownMs);
  return truth === undefined ? undefined : { ...truth, isLive: play === undefined };
}

export function figuresOf(actors: readonly Actor[], view: ViewState): readonly DrawnFigure[] {
  const isNamed = actors.filter(({ kind }) => kind === "player").length <= MAX_NAMES;
  return actors.flatMap((actor) => figuresOfOne(actor, isNamed && actor.kind === "player", view));
}

function figuresOfOne(actor: Actor, isNamed: boolean, view: ViewState): readonly DrawnFigure[] {
  const { play, policy, selection, settings } = view;
  const { key, kind } = actor;
  const own = key === play?.ownKey;
  const selected = selection.has(key);
  const truth = truthOf(actor, view);
  const ghost = actor.ghost(policy);
  const common = { key, kind, colour: colourOf(actor, view), own, selected, label: undefined };
  const drawn: DrawnFigure[] = [];
  if (ghost !== undefined) drawn.push({ ...common, ...placeOf(ghost), as: "ghost" });
  if (truth?.isLive) drawn.push({ ...common, ...placeOf(truth), as: "truth" });
  // The mark of a pet would cover its owner's.
  else if (truth !== undefined && settings.serverTracks && kind !== "pet")
    drawn.push({ ...common, ...placeOf(truth), as: "reported" });
  if (!settings.names || !(own || selected || isNamed)) return drawn;
  // The name is above the truth, or above the ghost where only that is known.
  const named = truth?.isLive ? "truth" : "ghost";
  return drawn.map((figure) => (figure.as === named ? { ...figure, label: nameOf(actor) } : figure));
}

function placeOf({ x, y, state }: Standing): Standing {
  return { x, y, state };
}

/** The packets of an actor that are on the map. */
export function batchesOf(actor: Actor, view: ViewState): readonly DrawnBatch[] {
  const { selection, shownMs } = view;
  const inDetail = selection.has(actor.key);
  const keptMs = inDetail ? SELECTED_PATH_MS : PATH_MS;
  return actor.batches.flatMap((batch): DrawnBatch[] => {
    const age = (shownMs - actor.endOf(batch)) / keptMs;
    const isPinned = selection.isPinned(actor, batch);
    if (batch.arrivesMs > shownMs || (age >= 1 && !isPinned)) return [];
    const strength = isPinned ? 1 : (inDetail ? 1 : 0.75) * (1 - Math.max(0, age)) ** 0.6;
    return [{ key: actor.key, batch, colour: colourOf(actor, view), strength, inDetail }];
  });
}

/** An actor's movement since its last received packet: spectators know it of all actors, a player of its own. */
export function unsentOf(actor: Actor, { play, nowMs, shownMs }: ViewState): readonly Point[] {
  if (play !== undefined) {
    const own = actor.key === play.ownKey ? play.own(nowMs) : undefined;
    return own === undefined ? [] : [...play.unsent, own];
  }
  if (actor.truth(shownMs)?.known !== "reported") return [];
  const last = actor.batches.findLast(({ arrivesMs }) => arrivesMs <= shownMs);
  const points: Point[] = [];
  const fromMs = Math.max(last === undefined ? 0 : actor.endOf(last), shownMs - SPECTATOR_DELAY_MS);
  for (let atMs = fromMs; atMs < shownMs; atMs += STEP_MS) {
    const point = actor.truth(atMs);
    if (point !== undefined) points.push(point);
  }
  return points;
}

/** The figure whose middle is nearest to a position on the map, if one is near. */
export function nearestFigure(figures: readonly DrawnFigure[], at: Point, withinPx: number): DrawnFigure | undefined {
  let best: DrawnFigure | undefined;
  let bestPx = withinPx;
  for (const figure of figures) {
    const px = Math.hypot(figure.x - at.x, figure.y - MIDDLE_PX - at.y);
    if (px > bestPx) continue;
    best = figure;
    bestPx = px;
  }
  return best;
}
