/** Draws over the scene of any game what a verdict is about: the ways, what was allowed, and where the message said that the player was. */
import type { FeedMoment, FeedPlace } from "@wirewalk/server/feed";
import { type Envelope, isNameUnit } from "wirewalk/protocol";
import { type FittedCanvas, fitCanvas, sizeOf } from "../draw/canvas.ts";
import type { Scene } from "../games/game-view.ts";
import { haloText } from "../games/labels.ts";
import { type PaletteWith, watchPalette } from "../games/palette.ts";
import { showNumber } from "../ui/format.ts";
import { showMeasure } from "../ui/measure.ts";
import { claimedWay, judgedStep, judgedWay, serverWay, shadowShare, splitWay } from "./geometry.ts";

/** What the message says, shortly: the measure of the rule, or where it leads. */
function claimWords(moment: FeedMoment): string {
  const { verdict, at } = moment;
  const { room = null, places = [] } = judgedStep(moment) ?? {};
  const end = places.at(-1);
  if (at === null && room !== null && end !== undefined) {
    return `claimed: room ${room} at ${showNumber(end.x)}, ${showNumber(end.y)}`;
  }
  if (verdict.measured === null || isNameUnit(verdict.unit)) return at === null ? "here" : "claimed";
  return `measured: ${showMeasure(verdict.measured, verdict.unit)}`;
}

/** What honest players may do is drawn in the colour of what is accepted. */
type Colours = PaletteWith<"accept">;

type Surface = NonNullable<Scene["surface"]>;

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
  /** `ms` counts from the verdict. */
  draw(moment: FeedMoment, ms: number): void;
  close(): void;
}

/** The place before the message, and marks, in CSS pixels. */
const GHOST_PX = 9;
const RING_PX = 14;
const CROSS_PX = 8;
const DOT_PX = 2.5;
/** Places beyond the edge are pointed at from here. */
const EDGE_PX = 26;
/** Between an edge and its words. */
const LABEL_PX = 14;
const FONT = "600 12px system-ui, sans-serif";

export function openOverlay({ canvas: under, toCanvas }: Surface): MomentOverlay {
  const canvas = document.createElement("canvas");
  canvas.className = "moment-overlay";
  // The story has the same in words.
  canvas.setAttribute("aria-hidden", "true");
  under.after(canvas);
  const palette = watchPalette(under.parentElement ?? under, ["accept"]);
  let placed = "";
  /** Over the scene's canvas, wherever that lies in the scene. */
  const place = (): void => {
    const { width, height } = sizeOf(under);
    const key = `${width} ${height}`;
    if (key === placed) return;
    placed = key;
    const { offsetLeft, offsetTop } = under;
    Object.assign(canvas.style, {
      left: `${offsetLeft + under.clientLeft}px`,
      top: `${offsetTop + under.clientTop}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  };
  return {
    draw(moment, ms) {
      place();
      const fitted = fitCanvas(canvas);
      if (fitted === undefined) return;
      fitted.context.clearRect(0, 0, fitted.width, fitted.height);
      new Drawing(fitted, palette.current(), toCanvas, moment).draw(ms);
    },
    close() {
      palette.close();
      canvas.remove();
    },
  };
}

class Drawing {
  readonly #fitted: FittedCanvas;
  readonly #colours: Colours;
  readonly #toCanvas: Surface["toCanvas"];
  readonly #moment: FeedMoment;

  constructor(fitted: FittedCanvas, colours: Colours, toCanvas: Surface["toCanvas"], moment: FeedMoment) {
    this.#fitted = fitted;
    this.#colours = colours;
    this.#toCanvas = toCanvas;
    this.#moment = moment;
  }

  draw(ms: number): void {
    const moment = this.#moment;
    const colours = this.#colours;
    this.#shadow(shadowShare(moment, ms));
    this.#line(serverWay(moment, ms), { colour: colours.accept, width: 2, dash: [2, 4] });
    this.#line(claimedWay(moment, ms), { colour: colours.accent, width: 1.5 });
    this.#dots(claimedWay(moment, ms), colours.accent);
    if (ms >= 0) this.#judged();
    this.#ghost();
  }

  #points(places: readonly FeedPlace[]): readonly Point[] {
    return places.flatMap((place) => this.#toCanvas(place) ?? []);
  }

  #line(places: readonly FeedPlace[], style: LineStyle): void {
    const { context } = this.#fitted;
    const points = this.#points(places);
    if (points.length < 2) return;
    context.strokeStyle = style.colour;
    context.lineWidth = style.width;
    context.setLineDash([...(style.dash ?? [])]);
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
    const { envelope, from: measuredFrom, verdict, unit } = this.#moment;
    if (envelope === null || share === undefined) return;
    const { context, width, height } = this.#fitted;
    const from = envelope.shape === "circle" ? envelope : measuredFrom;
    if (from === null) return;
    const grown = (to: number | undefined, of: number): number | undefined =>
      to === undefined ? undefined : of + (to - of) * share;
    const path = (grow: boolean): void => {
      context.beginPath();
      if (envelope.shape === "circle") {
        const centre = this.#toCanvas(envelope);
        const edge = this.#toCanvas({ x: envelope.x + envelope.radius, y: envelope.y });
        if (centre === undefined || edge === undefined) return;
        const radius = Math.hypot(edge.x - centre.x, edge.y - centre.y);
        context.arc(centre.x, centre.y, radius * (grow ? share : 1), 0, 2 * Math.PI);
        return;
      }
      const { left, right, top, bottom } = envelope;
      const of = (value: number | undefined, at: number): number | undefined => (grow ? grown(value, at) : value);
      const [near, far] = [
        this.#toCanvas({ x: of(left, from.x) ?? from.x, y: of(top, from.y) ?? from.y }),
        this.#toCanvas({ x: of(right, from.x) ?? from.x, y: of(bottom, from.y) ?? from.y }),
      ];
      if (near === undefined || far === undefined) return;
      // A side that is open goes on beyond the drawing.
      const [x1, x2] = [left === undefined ? -9 : near.x, right === undefined ? width + 9 : far.x];
      const [y1, y2] = [top === undefined ? -9 : near.y, bottom === undefined ? height + 9 : far.y];
      context.rect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    };
    context.fillStyle = this.#colours.accept;
    context.globalAlpha = 0.16;
    path(true);
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = this.#colours.accept;
    context.lineWidth = 1.5;
    context.setLineDash([6, 4]);
    path(false);
    context.stroke();
    context.setLineDash([]);
    if (verdict.allowed === null || verdict.unit !== unit) return;
    const top = this.#topOf(envelope, measuredFrom ?? from);
    const words = `allowed: ${showMeasure(verdict.allowed, verdict.unit)}`;
    if (top !== undefined)
      this.#words(words, { x: top.x, y: Math.max(LABEL_PX, top.y - LABEL_PX) }, this.#colours.accept);
  }

  /** Above the possible place: names and findings of the scene stand at the player. */
  #topOf(envelope: Envelope, centre: FeedPlace): Point | undefined {
    if (envelope.shape === "box") {
      const { top = centre.y, bottom = centre.y } = envelope;
      const ends = [top, bottom].flatMap((y) => this.#toCanvas({ x: centre.x, y }) ?? []);
      return ends.sort((a, b) => a.y - b.y)[0];
    }
    const [at, edge] = [this.#toCanvas(envelope), this.#toCanvas({ x: envelope.x + envelope.radius, y: envelope.y })];
    return at === undefined || edge === undefined
      ? undefined
      : { x: at.x, y: at.y - Math.max(2 * GHOST_PX, Math.hypot(edge.x - at.x, edge.y - at.y)) };
  }

  /** The way that the message claims: as far as was possible, and beyond. */
  #judged(): void {
    const { verdict, unit, at, from } = this.#moment;
    const colour = this.#colours[verdict.kind === "accept" ? "accept" : verdict.kind];
    const way = judgedWay(this.#moment);
    const isLength = verdict.unit !== null && verdict.unit === unit;
    const { within, beyond } = splitWay(way, isLength ? (verdict.allowed ?? undefined) : undefined);
    this.#line(within, { colour: this.#colours.accept, width: 3 });
    this.#line(beyond, { colour, width: 3 });
    this.#dots(way.slice(1, -1), colour);
    if (at !== null) this.#cross(at, colour);
    else if (from !== null) this.#ring(from, colour);
    // A message without a place here is judged where the player was.
    const where = at ?? from;
    const found = where === null ? undefined : this.#inside(this.#toCanvas(where));
    if (found !== undefined) this.#words(claimWords(this.#moment), { x: found.x, y: found.y - 20 }, colour);
  }

  #cross(place: FeedPlace, colour: string): void {
    const { context } = this.#fitted;
    const found = this.#toCanvas(place);
    const at = this.#inside(found);
    if (found === undefined || at === undefined) return;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 2.5;
    context.beginPath();
    if (at === found) {
      context.moveTo(at.x - CROSS_PX, at.y - CROSS_PX);
      context.lineTo(at.x + CROSS_PX, at.y + CROSS_PX);
      context.moveTo(at.x + CROSS_PX, at.y - CROSS_PX);
      context.lineTo(at.x - CROSS_PX, at.y + CROSS_PX);
      context.stroke();
      return;
    }
    // Beyond the edge: an arrow that points there.
    const angle = Math.atan2(found.y - at.y, found.x - at.x);
    for (const [turn, length] of [
      [0, 14],
      [2.5, 10],
      [-2.5, 10],
    ] as const) {
      const [x, y] = [at.x + Math.cos(angle + turn) * length, at.y + Math.sin(angle + turn) * length];
      if (turn === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.fill();
  }

  /** The place that the rule measured from. */
  #ghost(): void {
    const { from } = this.#moment;
    if (from !== null) this.#circle(from, GHOST_PX, { colour: this.#colours.text, width: 1.5, dash: [3, 3] });
  }

  /** Where the player was when it sent what names no place here. */
  #ring(place: FeedPlace, colour: string): void {
    this.#circle(place, RING_PX, { colour, width: 3 });
  }

  #circle(place: FeedPlace, radius: number, { colour, width, dash = [] }: LineStyle): void {
    const at = this.#toCanvas(place);
    if (at === undefined) return;
    const { context } = this.#fitted;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash([...dash]);
    context.beginPath();
    context.arc(at.x, at.y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  /** The same point where it is in sight, else the nearest one at the edge. */
  #inside(point: Point | undefined): Point | undefined {
    if (point === undefined) return undefined;
    const { width, height } = this.#fitted;
    const within = (value: number, most: number): number => Math.max(EDGE_PX, Math.min(most - EDGE_PX, value));
    const [x, y] = [within(point.x, width), within(point.y, height)];
    const isSeen = point.x >= 0 && point.x <= width && point.y >= 0 && point.y <= height;
    return isSeen ? point : { x, y };
  }

  #words(text: string, { x, y }: Point, colour: string): void {
    const { context, width, height } = this.#fitted;
    context.font = FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour;
    const half = context.measureText(text).width / 2 + 4;
    const at = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
    haloText(context, text, at(x, half, width - half), at(y, 10, height - 10), this.#colours);
  }
}
