/** Draws over the scene of any game what a verdict is about: the ways, what was allowed, and where the message said that the player was. */
import type { FeedMoment, FeedPlace } from "@wirewalk/server/feed";
import { isNameUnit } from "wirewalk/protocol";
import type { Studio } from "../app/studio.ts";
import { type FittedCanvas, fitCanvas, sizeOf } from "../draw/canvas.ts";
import type { ScenePiece, SceneSurface } from "../games/game-view.ts";
import { type Box, shortName } from "../games/labels.ts";
import { watchPalette } from "../games/palette.ts";
import { showNumber } from "../ui/format.ts";
import { showMeasure } from "../ui/measure.ts";
import { type Mark, showMarks } from "./drawn-marks.ts";
import {
  beyondPossible,
  claimedWay,
  judgedStep,
  judgedWay,
  lengthOf,
  playerPlace,
  serverWay,
  shadowShare,
  splitWay,
  toleratedCorners,
} from "./geometry.ts";
import { placePanel, placeWords } from "./label-places.ts";
import type { OverlayColours } from "./overlay-colours.ts";
import { type Plot, plotOf } from "./plot.ts";
import { drawPlot, panelSize } from "./plot-drawing.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineStyle {
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

export interface MomentOverlay {
  /** At the page's time of the scene. */
  draw(atMs: number): void;
  close(): void;
}

/** Marks, in CSS pixels. */
const GHOST_PX = 9;
const RING_PX = 14;
const CROSS_PX = 8;
const DOT_PX = 2.5;
/** Over the middle of a player. */
const ACCUSED_PX = 20;
/** Places beyond the edge are pointed at from here. */
const EDGE_PX = 26;
/** Of a way to a place beyond the edge. */
const STUB_PX = 70;
/** The playback's position and the verdict's time are rounded apart. */
const ROUNDING_MS = 1;
const FONT = "600 12px system-ui, sans-serif";
const WORDS_PX = 18;
/** Words farther than this from their mark have a line to it. */
const LEADER_PX = 34;

export function openOverlay({ canvas: under, toCanvas, pieces }: SceneSurface, studio: Studio): MomentOverlay {
  const canvas = document.createElement("canvas");
  canvas.className = "moment-overlay";
  // The story has the same in words.
  canvas.setAttribute("aria-hidden", "true");
  under.after(canvas);
  // Panels of the scene that are no evidence fold away.
  const scene = under.closest<HTMLElement>(".scene");
  if (scene !== null) scene.dataset.moment = "";
  const palette = watchPalette(under.parentElement ?? under, ["accept"]);
  let placed = "";
  let plotted: { readonly of: FeedMoment; readonly plot: Plot | undefined } | undefined;
  /** Over the scene's canvas, wherever that lies in the scene. */
  const place = (): void => {
    const { width, height } = sizeOf(under);
    const { offsetLeft, offsetTop } = under;
    const key = `${width} ${height} ${offsetLeft} ${offsetTop}`;
    if (key === placed) return;
    placed = key;
    Object.assign(canvas.style, {
      left: `${offsetLeft + under.clientLeft}px`,
      top: `${offsetTop + under.clientTop}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  };
  return {
    draw(atMs) {
      const moment = studio.moment.peek();
      const ms = moment === undefined ? undefined : shownMs(studio, moment, atMs);
      if (moment === undefined || ms === undefined) return;
      place();
      const fitted = fitCanvas(canvas);
      if (fitted === undefined) return;
      fitted.context.clearRect(0, 0, fitted.width, fitted.height);
      if (plotted?.of !== moment) plotted = { of: moment, plot: plotOf(moment) };
      const drawing = new Drawing(fitted, palette.current(), toCanvas, moment);
      const { name, player } = moment.verdict;
      drawing.draw(ms, {
        name: name ?? studio.nameOf(player),
        plot: plotted.plot,
        pieces: pieces?.(moment.verdict) ?? [],
      });
      showMarks(drawing.marks);
    },
    close() {
      if (scene !== null) delete scene.dataset.moment;
      showMarks(new Set());
      palette.close();
      canvas.remove();
    },
  };
}

/** The time that is drawn, counted from the verdict. What stands still is drawn as the slider says. */
function shownMs(studio: Studio, { verdict, atMs: positionMs }: FeedMoment, atMs: number): number | undefined {
  const state = studio.playback.peek();
  if (state !== undefined && studio.sceneClock.rate === 0) return state.atMs - positionMs;
  const shown = studio.tracks.shownTime(atMs);
  return shown === undefined ? undefined : shown - verdict.atMs;
}

interface Extras {
  readonly name: string;
  readonly plot: Plot | undefined;
  readonly pieces: readonly ScenePiece[];
}

/** Words that are placed when all marks are known. */
interface Words {
  readonly text: string;
  readonly mark: Point & { readonly radius: number };
  readonly colour: string;
  readonly side?: "below";
}

class Drawing {
  /** What was drawn. */
  readonly marks = new Set<Mark>();
  readonly #fitted: FittedCanvas;
  readonly #colours: OverlayColours;
  readonly #toCanvas: SceneSurface["toCanvas"];
  readonly #moment: FeedMoment;
  readonly #taken: Box[] = [];
  readonly #words: Words[] = [];

  constructor(fitted: FittedCanvas, colours: OverlayColours, toCanvas: SceneSurface["toCanvas"], moment: FeedMoment) {
    this.#fitted = fitted;
    this.#colours = colours;
    this.#toCanvas = toCanvas;
    this.#moment = moment;
  }

  draw(atMs: number, { name, plot, pieces }: Extras): void {
    const moment = this.#moment;
    const { accept, accent } = this.#colours;
    const { picture } = moment;
    const ms = atMs >= -ROUNDING_MS && atMs < 0 ? 0 : atMs;
    const isJudged = ms >= 0;
    if (picture === "places") this.#shadow(shadowShare(moment, ms));
    const isOfWays = picture !== "clock" && picture !== "rate";
    if (isOfWays && picture !== "strokes") {
      this.#line(serverWay(moment, ms), { colour: accept, width: 2, dash: [2, 4] }, "server");
    }
    if (isOfWays) {
      const way = claimedWay(moment, ms);
      const isStrokes = picture === "strokes";
      this.#line(way, { colour: accent, width: isStrokes ? 3 : 1.5 }, isStrokes ? "strokes" : "claimed");
      this.#dots(way, accent);
    }
    if (isJudged) {
      for (const piece of pieces) this.#piece(piece);
      if (picture === "places") this.#measured();
      else if (picture === "amount" || picture === "strokes") this.#way();
    }
    const where = playerPlace(moment, ms);
    if (where !== undefined && picture !== "strokes") this.#accused(where, name);
    if (isJudged && picture === "state" && where !== undefined) this.#here(where);
    // A way within the picture needs no bars.
    if (plot !== undefined && (picture !== "places" || this.marks.has("edge"))) this.#plot(plot, ms);
    if (isJudged && picture === "elsewhere") this.#elsewhere();
    for (const each of this.#words) this.#write(each);
  }

  get #colour(): string {
    const { kind } = this.#moment.verdict;
    return this.#colours[kind === "accept" ? "accept" : kind];
  }

  #points(places: readonly FeedPlace[]): readonly Point[] {
    return places.flatMap((place) => this.#toCanvas(place) ?? []);
  }

  #line(places: readonly FeedPlace[], style: LineStyle, mark: Mark): void {
    const points = this.#points(places);
    const [first] = points;
    // Of somebody who stands there is nothing to see.
    if (first === undefined || points.every(({ x, y }) => Math.hypot(x - first.x, y - first.y) < 2)) return;
    this.marks.add(mark);
    this.#stroke(points, style);
  }

  #stroke(points: readonly Point[], { colour, width, dash = [] }: LineStyle): void {
    const { context } = this.#fitted;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.setLineDash([...dash]);
    context.beginPath();
    for (const [index, { x, y }] of points.entries()) {
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.stroke();
    context.setLineDash([]);
  }

  #dots(places: readonly FeedPlace[], colour: string): void {
    const { context } = this.#fitted;
    context.fillStyle = colour;
    for (const { x, y } of this.#points(places)) {
      context.beginPath();
      context.arc(x, y, DOT_PX, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Where an honest player could be by then, and the line that a rule draws around it. */
  #shadow(share: number | undefined): void {
    const { envelope, from: measuredFrom } = this.#moment;
    if (envelope === null || share === undefined) return;
    const { context, width, height } = this.#fitted;
    const from = envelope.shape === "circle" ? envelope : measuredFrom;
    if (from === null) return;
    const grown = (to: number | undefined, of: number): number | undefined =>
      to === undefined ? undefined : of + (to - of) * share;
    /** Gives whether any of its border is in sight. */
    const path = (grow: boolean): boolean => {
      context.beginPath();
      if (envelope.shape === "circle") {
        const centre = this.#toCanvas(envelope);
        const edge = this.#toCanvas({ x: envelope.x + envelope.radius, y: envelope.y });
        if (centre === undefined || edge === undefined) return false;
        const radius = Math.max(3, Math.hypot(edge.x - centre.x, edge.y - centre.y)) * (grow ? share : 1);
        context.arc(centre.x, centre.y, radius, 0, 2 * Math.PI);
        const corners = [0, width].flatMap((x) => [0, height].map((y) => Math.hypot(x - centre.x, y - centre.y)));
        return radius < Math.max(...corners);
      }
      const { left, right, top, bottom } = envelope;
      const of = (value: number | undefined, at: number): number | undefined => (grow ? grown(value, at) : value);
      const [near, far] = [
        this.#toCanvas({ x: of(left, from.x) ?? from.x, y: of(top, from.y) ?? from.y }),
        this.#toCanvas({ x: of(right, from.x) ?? from.x, y: of(bottom, from.y) ?? from.y }),
      ];
      if (near === undefined || far === undefined) return false;
      // A side that is open goes on beyond the drawing.
      const [x1, x2] = [left === undefined ? -9 : near.x, right === undefined ? width + 9 : far.x];
      const [y1, y2] = [top === undefined ? -9 : near.y, bottom === undefined ? height + 9 : far.y];
      context.rect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
      return [x1, x2].some((x) => x > 0 && x < width) || [y1, y2].some((y) => y > 0 && y < height);
    };
    const isSeen = path(false);
    // What covers all of the picture would say that everything in it was possible: then the plot has it.
    if (!isSeen) return;
    this.marks.add("possible");
    path(true);
    context.fillStyle = this.#colours.accept;
    context.globalAlpha = 0.16;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = this.#colours.accept;
    context.lineWidth = 1.5;
    context.setLineDash([6, 4]);
    path(false);
    context.stroke();
    const corners = this.#points(toleratedCorners(envelope));
    if (corners.length > 2) {
      this.marks.add("tolerated");
      const [first] = corners;
      this.#stroke(first === undefined ? [] : [...corners, first], {
        colour: this.#colours.accept,
        width: 1,
        dash: [1, 3],
      });
    }
    context.setLineDash([]);
    const top = this.#topOf();
    if (top !== undefined) {
      this.#say({ text: this.#allowedWords(), mark: { ...top, radius: 0 }, colour: this.#colours.accept });
    }
  }

  #allowedWords(): string {
    const { envelope, verdict, unit } = this.#moment;
    const left = envelope?.shape === "box" ? (envelope.spare ?? 0) : 0;
    const spare = verdict.unit === unit ? nearly(left, verdict.allowed) : left;
    if (spare > 0) return `possible in its time, and ${showLength(spare, unit)} tolerated`;
    const isLength = verdict.unit === unit && verdict.allowed !== null && verdict.allowed > 0;
    if (isLength) return `allowed: ${showLength(verdict.allowed ?? 0, unit)}`;
    return "possible in its time";
  }

  /** The upper edge of what is possible. */
  #topOf(): Point | undefined {
    const { envelope, from } = this.#moment;
    if (envelope === null) return undefined;
    if (envelope.shape === "box") {
      const centre = from ?? { x: 0, y: 0 };
      const { left, right, top = centre.y, bottom = centre.y } = envelope;
      const x = left === undefined || right === undefined ? centre.x : (left + right) / 2;
      const ends = [top, bottom].flatMap((y) => this.#toCanvas({ x, y }) ?? []);
      return ends.sort((a, b) => a.y - b.y)[0];
    }
    const [at, edge] = [this.#toCanvas(envelope), this.#toCanvas({ x: envelope.x + envelope.radius, y: envelope.y })];
    if (at === undefined || edge === undefined) return undefined;
    return { x: at.x, y: at.y - Math.max(GHOST_PX, Math.hypot(edge.x - at.x, edge.y - at.y)) };
  }

  /** The way that the rule measured, with its length: as far as was possible, and beyond. */
  #measured(): void {
    const { from, at, envelope } = this.#moment;
    if (from === null || at === null) return;
    const [start, end] = [this.#toCanvas(from), this.#toCanvas(at)];
    if (start === undefined || end === undefined) return;
    this.marks.add("from");
    this.#circle(start, GHOST_PX, { colour: this.#colours.text, width: 1.5, dash: [3, 3] });
    const mover = judgedStep(this.#moment)?.mover ?? null;
    if (!this.#isSeen(end)) {
      this.#beyondEdge(start, end, mover);
      return;
    }
    const { within, beyond } = splitWay(judgedWay(this.#moment), envelope);
    this.#line(within, { colour: this.#colours.accept, width: 4 }, "within");
    this.#line(beyond, { colour: this.#colour, width: 4 }, "beyond");
    this.marks.add("at");
    this.#cross(end);
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    this.#say({ text: `claimed ${mover ?? "place"}`, mark: { ...end, radius: CROSS_PX }, colour: this.#colour });
    this.#say({ text: this.#lengthWords(from, at), mark: { ...middle, radius: 2 }, colour: this.#colour });
  }

  #lengthWords(from: FeedPlace, at: FeedPlace): string {
    const { envelope, verdict, unit } = this.#moment;
    const { measured } = verdict;
    const length = lengthOf(from, at, envelope);
    const isLength = verdict.unit === unit && measured !== null;
    if (isLength && Math.abs(length - measured) < 1) return showLength(measured, unit);
    const isBox = envelope?.shape === "box" && envelope.left !== undefined && envelope.top !== undefined;
    if (!isBox)
      return isLength
        ? `${showLength(length, unit)} here, ${showLength(measured, unit)} in all`
        : showLength(length, unit);
    const beyond = isLength ? nearly(beyondPossible(envelope, at), measured) : beyondPossible(envelope, at);
    const inAll = isLength && Math.abs(beyond - measured) >= 1 ? `, ${showLength(measured, unit)} in all` : "";
    return `${showLength(beyond, unit)} too far${inAll}`;
  }

  /** Where the claimed place lies beyond the edge: an arrow from the start, and one at the edge with how far it is from there. */
  #beyondEdge(start: Point, end: Point, mover: string | null): void {
    const { from, at, unit } = this.#moment;
    if (from === null || at === null) return;
    this.marks.add("edge");
    const angle = Math.atan2(end.y - start.y, end.x - start.x);
    const tip = { x: start.x + Math.cos(angle) * STUB_PX, y: start.y + Math.sin(angle) * STUB_PX };
    this.#stroke([start, tip], { colour: this.#colour, width: 4 });
    this.#arrow(tip, angle);
    const edge = this.#inside(end);
    this.#arrow(edge, Math.atan2(end.y - edge.y, end.x - edge.x));
    this.#take(edge, EDGE_PX / 2);
    const length = Math.hypot(at.x - from.x, at.y - from.y);
    const scale = Math.hypot(end.x - start.x, end.y - start.y) / Math.max(1e-9, length);
    const left = Math.hypot(end.x - edge.x, end.y - edge.y) / Math.max(1e-9, scale);
    const what = mover === null ? "claimed place" : `claimed ${mover}`;
    this.#say({
      text: `${what}: ${showLength(left, unit)} beyond this edge`,
      mark: { ...edge, radius: 12 },
      colour: this.#colour,
    });
    this.#say({ text: this.#lengthWords(from, at), mark: { ...tip, radius: 4 }, colour: this.#colour });
  }

  /** The way that the message names, where what was measured is no way. */
  #way(): void {
    const way = judgedWay(this.#moment);
    this.#line(way, { colour: this.#colour, width: 4 }, "beyond");
    this.#dots(way, this.#colour);
    const last = this.#points(way).at(-1);
    if (last === undefined) return;
    const mover = judgedStep(this.#moment)?.mover;
    const text =
      this.#moment.picture === "strokes"
        ? "the movement in this message"
        : `way of the ${mover ?? "player"} in this message`;
    this.#say({ text, mark: { ...last, radius: DOT_PX }, colour: this.#colour });
  }

  /** A part of the map that the verdict is about. */
  #piece({ places, words }: ScenePiece): void {
    const points = this.#points(places);
    const [first] = points;
    if (first === undefined) return;
    this.marks.add("piece");
    const { context } = this.#fitted;
    context.globalAlpha = 0.35;
    this.#stroke(points, { colour: this.#colour, width: 10 });
    context.globalAlpha = 1;
    this.#stroke(points, { colour: this.#colour, width: 3 });
    const seen = points.filter((point) => this.#isSeen(point));
    const xs = (seen.length > 0 ? seen : points).map(({ x }) => x);
    const middle = this.#inside({ x: (Math.min(...xs) + Math.max(...xs)) / 2, y: first.y });
    this.#say({ text: words, mark: { ...middle, radius: 4 }, colour: this.#colour, side: "below" });
  }

  /** The one that is judged, with a pointer over it and its name. */
  #accused(place: FeedPlace, name: string): void {
    const at = this.#toCanvas(place);
    if (at === undefined || !this.#isSeen(at)) return;
    this.marks.add("accused");
    const { context } = this.#fitted;
    const { text, scene } = this.#colours;
    const tip = { x: at.x, y: at.y - ACCUSED_PX };
    context.beginPath();
    context.moveTo(tip.x, tip.y);
    context.lineTo(tip.x - 7, tip.y - 12);
    context.lineTo(tip.x + 7, tip.y - 12);
    context.closePath();
    context.fillStyle = text;
    context.strokeStyle = scene;
    context.lineWidth = 3;
    context.stroke();
    context.fill();
    this.#take(at, ACCUSED_PX);
    this.#say({ text: shortName(name), mark: { ...at, radius: ACCUSED_PX }, colour: text, side: "below" });
  }

  /** Where the player was when it sent what is about no place. */
  #here(place: FeedPlace): void {
    const at = this.#toCanvas(place);
    if (at === undefined || !this.#isSeen(at)) return;
    this.marks.add("here");
    this.#circle(at, RING_PX, { colour: this.#colour, width: 3 });
    const { measured, unit } = this.#moment.verdict;
    const figure = measured === null || isNameUnit(unit) ? "" : `: ${showMeasure(measured, unit)}`;
    this.#say({ text: `this message${figure}`, mark: { ...at, radius: RING_PX }, colour: this.#colour });
  }

  #plot(plot: Plot, ms: number): void {
    const box = placePanel(panelSize(plot, this.#fitted), this.#fitted, this.#taken);
    this.#taken.push(box);
    drawPlot(this.#fitted.context, plot, box, ms, { colours: this.#colours, colour: this.#colour, font: FONT });
  }

  /** The room that the message leads to: where its way comes out, what is tolerated around it, and the claimed place. */
  #elsewhere(): void {
    const { elsewhere, verdict, unit } = this.#moment;
    if (elsewhere === null) return;
    const { from, at, room } = elsewhere;
    const { context } = this.#fitted;
    const size = { width: Math.min(460, this.#fitted.width - 12), height: Math.min(150, this.#fitted.height - 12) };
    const box = placePanel(size, this.#fitted, this.#taken);
    this.#taken.push(box);
    const { panel, text, accept } = this.#colours;
    context.beginPath();
    context.roundRect(box.left, box.top, size.width, size.height, 6);
    context.globalAlpha = 0.94;
    context.fillStyle = panel;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1;
    context.strokeStyle = this.#colours["text-dim"];
    context.stroke();
    context.font = FONT;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = text;
    context.fillText(
      `Room ${room}: where the message says that the player arrives`,
      box.left + 10,
      box.top + 16,
      size.width - 20,
    );
    const y = box.top + size.height / 2 + 4;
    const isRight = at.x >= from.x;
    const [left, right] = [box.left + 50, box.right - 50];
    const [start, end] = isRight ? [left, right] : [right, left];
    const length = Math.max(1e-9, Math.hypot(at.x - from.x, at.y - from.y));
    const radius = Math.max(4, ((verdict.allowed ?? 0) / length) * (right - left));
    this.#stroke(
      [
        { x: start, y },
        { x: end, y },
      ],
      { colour: this.#colour, width: 4 },
    );
    context.beginPath();
    context.arc(start, y, radius, 0, 2 * Math.PI);
    context.globalAlpha = 0.25;
    context.fillStyle = accept;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = accept;
    context.lineWidth = 1.5;
    context.stroke();
    this.#cross({ x: end, y });
    const line = (words: string, x: number, down: number, colour: string): void => {
      context.fillStyle = colour;
      const half = Math.min(context.measureText(words).width, size.width - 20) / 2;
      context.textAlign = "center";
      context.fillText(
        words,
        Math.max(box.left + 10 + half, Math.min(box.right - 10 - half, x)),
        y + down,
        size.width - 20,
      );
    };
    line(`${showLength(length, unit)} apart`, (start + end) / 2, -16, this.#colour);
    line("the door leads here", start, 24, accept);
    line(
      `x ${showNumber(from.x)}${verdict.allowed === null ? "" : `, ${showLength(verdict.allowed, unit)} allowed`}`,
      start,
      40,
      accept,
    );
    line("claimed place", end, 24, this.#colour);
    line(`x ${showNumber(at.x)}`, end, 40, this.#colour);
  }

  #cross(at: Point): void {
    const arms = [-CROSS_PX, CROSS_PX];
    for (const [colour, width] of [
      [this.#colours.scene, 6],
      [this.#colour, 3],
    ] as const) {
      for (const arm of arms) {
        this.#stroke(
          [
            { x: at.x - CROSS_PX, y: at.y - arm },
            { x: at.x + CROSS_PX, y: at.y + arm },
          ],
          { colour, width },
        );
      }
    }
    this.#take(at, CROSS_PX + 2);
  }

  #arrow(at: Point, angle: number): void {
    const { context } = this.#fitted;
    context.fillStyle = this.#colour;
    context.beginPath();
    for (const [turn, length] of [
      [0, 14],
      [2.5, 11],
      [-2.5, 11],
    ] as const) {
      const [x, y] = [at.x + Math.cos(angle + turn) * length, at.y + Math.sin(angle + turn) * length];
      if (turn === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.fill();
  }

  #circle(at: Point, radius: number, { colour, width, dash = [] }: LineStyle): void {
    const { context } = this.#fitted;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash([...dash]);
    context.beginPath();
    context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
    this.#take(at, radius);
  }

  #isSeen({ x, y }: Point): boolean {
    const { width, height } = this.#fitted;
    return x >= 0 && x <= width && y >= 0 && y <= height;
  }

  /** The same point where it is in sight, else the nearest one at the edge. */
  #inside(point: Point): Point {
    if (this.#isSeen(point)) return point;
    const { width, height } = this.#fitted;
    const within = (value: number, most: number): number => Math.max(EDGE_PX, Math.min(most - EDGE_PX, value));
    return { x: within(point.x, width), y: within(point.y, height) };
  }

  /** Words and panels keep off it. */
  #take({ x, y }: Point, radius: number): void {
    this.#taken.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
  }

  #say(words: Words): void {
    this.#words.push(words);
  }

  #write({ text, mark, colour, side }: Words): void {
    const { context } = this.#fitted;
    context.font = FONT;
    const size = { width: Math.min(context.measureText(text).width + 14, this.#fitted.width - 8), height: WORDS_PX };
    const box = placeWords({ ...this.#inside(mark), radius: mark.radius }, size, this.#fitted, this.#taken, side);
    this.#taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const apart = Math.max(Math.abs(x - mark.x) - size.width / 2, Math.abs(y - mark.y) - size.height / 2) - mark.radius;
    if (apart > LEADER_PX && this.#isSeen(mark)) {
      const ends = [mark, { x: Math.max(box.left, Math.min(box.right, mark.x)), y: y < mark.y ? box.bottom : box.top }];
      this.#stroke(ends, { colour, width: 1 });
    }
    context.beginPath();
    context.roundRect(box.left, box.top, size.width, size.height, 4);
    context.fillStyle = this.#colours.panel;
    context.globalAlpha = 0.92;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = colour;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x, y + 0.5, size.width - 8);
  }
}

/** Two per cent are not seen in a picture: the figure that the rule has says as much. */
function nearly(value: number, ofRule: number | null): number {
  return ofRule !== null && Math.abs(value - ofRule) <= ofRule * 0.02 ? ofRule : value;
}

/** A length that can be read: no part of a pixel in thousands of them. */
function showLength(value: number, unit: string | null): string {
  return showMeasure(Math.abs(value) >= 100 ? Math.round(value) : value, unit);
}
