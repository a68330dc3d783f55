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

/** Actors in order, sorted again when others are there or one has another name: a crowd took a millisecond of each frame. */
export class SortedActors {
  #actors: readonly Actor[] = [];
  #names: readonly (string | undefined)[] = [];
  #own: string | undefined;
  #sorted: readonly Actor[] = [];

  of(actors: Iterable<Actor>, own: string | undefined): readonly Actor[] {
    const now = [...actors];
    const isAsWas = (actor: Actor, index: number): boolean =>
      actor === this.#actors[index] && actor.name === this.#names[index];
    if (own === this.#own && now.length === this.#actors.length && now.every(isAsWas)) return this.#sorted;
    this.#actors = now;
    this.#names = now.map(({ name }) => name);
    this.#own = own;
    this.#sorted = sortActors(now, own);
    return this.#sorted;
  }
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

function figuresOfOne(actor: Actor, isOneOfFew: boolean, view: ViewState): readonly DrawnFigure[] {
  const { play, policy, selection, settings } = view;
  const { key, kind } = actor;
  const own = key === play?.ownKey;
  const selected = selection.has(key);
  const truth = truthOf(actor, view);
  const ghost = actor.ghost(policy);
  const colour = colourOf(actor, view);
  const isNamed = settings.names && (own || selected || isOneOfFew);
  // The name is above the truth, or above the ghost where only that is known.
  const named = !isNamed ? undefined : truth?.isLive ? "truth" : "ghost";
  const drawn: DrawnFigure[] = [];
  // The members one by one: a crowd has hundreds of these in each picture.
  const add = ({ x, y, state }: Standing, as: Figure["as"]): void => {
    const label = as === named ? nameOf(actor) : undefined;
    drawn.push({ key, kind, colour, own, selected, label, x, y, state, as });
  };
  if (ghost !== undefined) add(ghost, "ghost");
  if (truth?.isLive) add(truth, "truth");
  // The mark of a pet would cover its owner's.
  else if (truth !== undefined && settings.serverTracks && kind !== "pet") add(truth, "reported");
  return drawn;
}

/** The packets of an actor that are on the map. */
export function batchesOf(actor: Actor, view: ViewState): readonly DrawnBatch[] {
  const { selection, shownMs } = view;
  const inDetail = selection.has(actor.key);
  const keptMs = inDetail ? SELECTED_PATH_MS : PATH_MS;
  const { batches } = actor;
  const colour = colourOf(actor, view);
  const drawn: DrawnBatch[] = [];
  for (let index = batches.length - 1; index >= 0; index--) {
    const batch = batches[index];
    if (batch === undefined || batch.arrivesMs > shownMs) continue;
    const age = (shownMs - actor.endOf(batch)) / keptMs;
    const isPinned = selection.isPinned(actor, batch);
    // Those before it are older; the pinned one is of an actor in detail.
    if (age >= 1 && !inDetail) break;
    if (age >= 1 && !isPinned) continue;
    const strength = isPinned ? 1 : (inDetail ? 1 : 0.75) * (1 - Math.max(0, age)) ** 0.6;
    drawn.push({ key: actor.key, batch, colour, strength, inDetail });
  }
  return drawn.reverse();
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
