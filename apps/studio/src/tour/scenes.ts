/** The scenes of the tour: one for each document, a claim beside its live figures, and what makes them move. */

import type { Studio } from "../app/studio.ts";
import type { SceneFigure } from "../draw/scene-figure.ts";
import { showNumber } from "../ui/format.ts";
import { showMeasure } from "../ui/measure.ts";

/** What a press of the scene's button begins. */
export type Demo =
  /** A bot of this page joins and cheats. */
  | { readonly kind: "cheat"; readonly label: string; readonly cheat: string }
  /** The drawing's own network becomes bad. */
  | { readonly kind: "worsen"; readonly label: string }
  /** The page plays over a bad network, and presses these keys. */
  | { readonly kind: "play"; readonly label: string; readonly codes: readonly string[] };

export interface TourScene {
  readonly game: string;
  readonly room: string;
  readonly title: string;
  readonly claim: string;
  /** What is measured now; empty while nothing has come. */
  figures(studio: Studio, setting: (name: string) => number | undefined): readonly SceneFigure[];
  /** What to do as long as there is nothing to measure. */
  readonly waiting: string;
  readonly demo?: Demo;
}

const ofDrawing = (studio: Studio): readonly SceneFigure[] => studio.figures.value;

/** What the last teleport claimed, and what became of all of the same player. */
function teleports(studio: Studio, setting: (name: string) => number | undefined): readonly SceneFigure[] {
  // The list is a signal; the newest are read behind it.
  void studio.verdicts.value;
  const all = studio.recentVerdicts.filter(({ rule }) => rule === "teleport");
  const [last] = all;
  if (last === undefined) return [];
  const { player, measured, allowed, unit, atMs } = last;
  const windowMs = setting("teleportWindowMs") ?? 0;
  const own = all.filter((each) => each.player === player && atMs - each.atMs <= windowMs);
  const refused = own.filter(({ kind }) => kind === "correct" || kind === "reject");
  const most = setting("maxTeleports");
  return [
    { name: "claimed at once", value: showMeasure(measured, unit) },
    { name: "allowed", value: showMeasure(allowed, unit) },
    { name: "refused", value: `${refused.length} of ${own.length}` },
    ...(most === undefined
      ? []
      : [{ name: `in ${showNumber(windowMs / 1000)} s; more than ${most} are a ban`, value: `${own.length}` }]),
  ];
}

export const scenes: readonly TourScene[] = [
  {
    game: "slime-online-2",
    room: "1",
    title: "A teleport costs the cheater alone",
    claim:
      "A slime sends which key went down or up, and where it was; every client computes the same movement from it. A place too far away is refused: other players receive nothing, and the cheater is put back.",
    figures: teleports,
    waiting: "No teleport yet.",
    demo: { kind: "cheat", label: "Let a cheat teleport", cheat: "teleport" },
  },
  {
    game: "osrs",
    room: "world",
    title: "A player who stands still costs almost no bits",
    claim:
      "Once a tick the server sends each player the movement of all others, bit by bit. One skip covers a whole run of players that did nothing, and of places that no player has.",
    figures: ofDrawing,
    waiting: "The next packet comes within a tick.",
  },
  {
    game: "maplestory",
    room: "1",
    title: "Half a second in one packet",
    claim:
      "A client sends what it did in the last half second. Others play it later, as a ghost. On a bad network the way in which the ghost plays decides how far it is from the truth.",
    figures: ofDrawing,
    waiting: "Waiting for the first packets.",
    demo: { kind: "worsen", label: "Make the network bad" },
  },
  {
    game: "scrap-mechanic",
    room: "1",
    title: "The server owns the place",
    claim:
      "A client sends keys and look 40 times a second. The server computes where it is. The client predicts the same to feel immediate: what the network loses, the prediction does not know.",
    figures: ofDrawing,
    waiting: "Nothing is predicted while you only watch.",
    demo: { kind: "play", label: "Walk on a bad network", codes: ["KeyW", "KeyA", "KeyS", "KeyD"] },
  },
  {
    game: "osrs",
    room: "mouse",
    title: "A hand is not a program",
    claim:
      "The client sends the way of the mouse. Strokes of a hand are curved, and slow down towards their end; those of a program are straight, even or repeat. A score is evidence, never a ban.",
    figures: ofDrawing,
    waiting: "The first score comes after ten strokes.",
    demo: { kind: "cheat", label: "Let a program move a mouse", cheat: "linear" },
  },
];
