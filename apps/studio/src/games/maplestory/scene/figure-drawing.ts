/** Drawing of players, monsters and pets, as truth and as ghost, with their names. The position is at the feet. */
import { stances } from "wirewalk/maplestory";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { haloText, type LabelSpace, NAME_PX, nameFont, shortName } from "../../labels.ts";
import type { ActorKind, Standing } from "../play/actor.ts";
import { type Camera, toScreen } from "./camera.ts";
import type { MaplePalette } from "./marks.ts";

export interface Figure extends Standing {
  readonly kind: ActorKind;
  readonly colour: string;
  /** `truth` is solid, `ghost` is transparent, `reported` is a mark at the end of the last packet. */
  readonly as: "truth" | "ghost" | "reported";
  readonly own: boolean;
  readonly selected: boolean;
  /** Undefined while names are not shown. */
  readonly label: string | undefined;
}

/** Half of the width and the height of a body that stands, in the map's pixels. */
const sizes: Readonly<Record<ActorKind, readonly [half: number, height: number]>> = {
  player: [13, 50],
  monster: [19, 32],
  pet: [10, 18],
  summon: [10, 24],
  dragon: [22, 40],
};

const kindNumbers: Readonly<Record<ActorKind, number>> = { player: 0, monster: 1, pet: 2, summon: 3, dragon: 4 };

/** From afar a body is as large as at this scale: a person has to find it. */
const LEAST_BODY_SCALE = 0.2;

/** The scale that bodies are drawn at. */
function bodyScale({ scale }: Camera): number {
  return Math.max(scale, LEAST_BODY_SCALE);
}

/** Height of a verdict's words with their frame. */
const VERDICT_PX = 17;

/** Around the feet of a body, in the map's pixels at the body's scale: all that is drawn of any of them. */
const PICTURE = { beside: 26, above: 58, below: 6 };
/** Pictures that are kept at most: kinds, stances and colours make some dozens. */
const MOST_PICTURES = 512;

/**
 * Draws bodies, each look once: the others are copies. A copy costs a few percent of its outline with dashes, and a crowd has 200 bodies. The
 * pictures are those of one scale.
 */
export class FigurePictures {
  /** By colour, then by the rest of the look. */
  readonly #pictures = new Map<string, Map<number, ImageBitmap>>();
  #count = 0;
  #palette: MaplePalette | undefined;
  #scale = 0;
  #ratio = 0;
  /** While the map is zoomed, pictures would be of no use. */
  #isSteady = false;

  /** How often a body was drawn that is not a copy, for measurements. */
  drawn = 0;

  /** Before the figures of a frame. */
  begin({ context }: FittedCanvas, camera: Camera, palette: MaplePalette): void {
    const [scale, ratio] = [bodyScale(camera), context.getTransform().a];
    this.#isSteady = scale === this.#scale && ratio === this.#ratio && palette === this.#palette;
    if (this.#isSteady && this.#count < MOST_PICTURES) return;
    this.#pictures.clear();
    this.#count = 0;
    [this.#scale, this.#ratio, this.#palette] = [scale, ratio, palette];
  }

  draw(fitted: FittedCanvas, camera: Camera, figure: Figure, palette: MaplePalette): void {
    if (figure.as === "reported" || !this.#isSteady) {
      this.drawn += 1;
      drawFigure(fitted, camera, figure, palette);
      return;
    }
    const scale = this.#scale;
    const ratio = this.#ratio;
    const picture = this.#pictureOf(figure, palette);
    // On whole pixels of the display, or the copy would be blurred.
    const left = Math.round((camera.left + figure.x * camera.scale - PICTURE.beside * scale) * ratio) / ratio;
    const top = Math.round((camera.top + figure.y * camera.scale - PICTURE.above * scale) * ratio) / ratio;
    fitted.context.drawImage(picture, left, top, picture.width / ratio, picture.height / ratio);
  }

  #pictureOf(figure: Figure, palette: MaplePalette): ImageBitmap {
    const { kind, as, state, colour, own, selected } = figure;
    const coloured = this.#pictures.get(colour) ?? new Map<number, ImageBitmap>();
    this.#pictures.set(colour, coloured);
    const flags = (as === "truth" ? 4 : 0) | (own ? 2 : 0) | (selected ? 1 : 0);
    const look = ((state & 0xff) << 8) | (kindNumbers[kind] << 3) | flags;
    const known = coloured.get(look);
    if (known !== undefined) return known;
    this.drawn += 1;
    this.#count += 1;
    const [scale, ratio] = [this.#scale, this.#ratio];
    const canvas = new OffscreenCanvas(
      Math.ceil(2 * PICTURE.beside * scale * ratio),
      Math.ceil((PICTURE.above + PICTURE.below) * scale * ratio),
    );
    const context = canvas.getContext("2d");
    if (context !== null) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawBody(context, { x: PICTURE.beside * scale, y: PICTURE.above * scale, scale }, figure, palette);
    }
    // Of a canvas, the browser would make a picture again for each copy.
    const picture = canvas.transferToImageBitmap();
    coloured.set(look, picture);
    return picture;
  }
}

export function drawFigure({ context }: FittedCanvas, camera: Camera, figure: Figure, palette: MaplePalette): void {
  const { x, y } = toScreen(camera, figure);
  if (figure.as === "reported") drawReported(context, x, y, figure.colour);
  else drawBody(context, { x, y, scale: bodyScale(camera) }, figure, palette);
}

type BodyContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** A body with its feet at a place of a canvas. */
function drawBody(
  context: BodyContext,
  { x, y, scale }: { readonly x: number; readonly y: number; readonly scale: number },
  figure: Figure,
  palette: MaplePalette,
): void {
  context.save();
  context.translate(x, y);
  context.scale(scale * ((figure.state & 1) === 1 ? -1 : 1), scale);
  const line = 1 / scale;
  traceBody(context, figure);
  if (figure.as === "truth") {
    context.fillStyle = figure.colour;
    context.fill();
    context.lineWidth = (figure.own || figure.selected ? 2.2 : 1.2) * line;
    context.strokeStyle = figure.own || figure.selected ? palette.text : palette.scene;
    context.stroke();
    drawEye(context, figure, palette.scene);
  } else {
    context.globalAlpha = 0.28;
    context.fillStyle = figure.colour;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = (figure.selected ? 2.2 : 1.4) * line;
    context.strokeStyle = figure.colour;
    context.setLineDash([3 * line, 2 * line]);
    context.stroke();
    context.setLineDash([]);
    drawEye(context, figure, figure.colour);
  }
  context.restore();
}

function heightOf({ kind, state }: Figure): number {
  const [, height] = sizes[kind];
  const stance = state >> 1;
  if (kind !== "player") return height;
  return stance === stances.prone ? height * 0.45 : stance === stances.sit ? height * 0.75 : height;
}

/** The outline, looking to the right: the context is mirrored for the left. */
function traceBody(context: BodyContext, figure: Figure): void {
  const [half] = sizes[figure.kind];
  const height = heightOf(figure);
  context.beginPath();
  if (figure.kind === "player") {
    if (figure.state >> 1 === stances.prone) {
      context.roundRect(-half * 1.6, -height, half * 3.2, height, 8);
      return;
    }
    // A head on a body, in one outline.
    const [top, chin, side] = [height * 0.74, height * 0.55, half * 0.8];
    const angle = Math.atan2(top - chin, side);
    context.moveTo(-side, 0);
    context.lineTo(-side, -chin);
    context.arc(0, -top, Math.hypot(side, top - chin), Math.PI - angle, angle);
    context.lineTo(side, 0);
    context.closePath();
  } else if (figure.kind === "monster") {
    // A cap on a stem.
    context.moveTo(-half, -height * 0.42);
    context.bezierCurveTo(-half, -height * 1.18, half, -height * 1.18, half, -height * 0.42);
    context.lineTo(half * 0.58, -height * 0.36);
    context.lineTo(half * 0.5, 0);
    context.lineTo(-half * 0.5, 0);
    context.lineTo(-half * 0.58, -height * 0.36);
    context.closePath();
  } else {
    context.ellipse(0, -height / 2, half, height / 2, 0, 0, 2 * Math.PI);
  }
}

/** The eye is on the side that the body looks to. On a ladder the body shows its back. */
function drawEye(context: BodyContext, figure: Figure, colour: string): void {
  const stance = figure.state >> 1;
  if (stance === stances.ladder || stance === stances.rope) return;
  const [half] = sizes[figure.kind];
  const height = heightOf(figure);
  const up = figure.kind === "player" ? (stance === stances.prone ? 0.6 : 0.76) : figure.kind === "monster" ? 0.2 : 0.6;
  const forth = figure.kind === "player" && stance === stances.prone ? half * 1.1 : half * 0.45;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(forth, -height * up, figure.kind === "player" ? 3 : 2.4, 0, 2 * Math.PI);
  context.fill();
}

/** A mark where the last packet ended: the position that a server knows. */
function drawReported(context: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - 5, y + 4);
  context.lineTo(x, y);
  context.lineTo(x + 5, y + 4);
  context.moveTo(x, y);
  context.lineTo(x, y + 8);
  context.stroke();
  context.restore();
}

/** The names over all heads, after the figures: a body that is drawn later would lie on them. */
export function drawNames(
  { context }: FittedCanvas,
  space: LabelSpace,
  camera: Camera,
  figures: readonly Figure[],
  palette: MaplePalette,
): void {
  const isStrong = ({ own, selected }: Figure): boolean => own || selected;
  context.save();
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (const figure of [...figures.filter(isStrong), ...figures.filter((each) => !isStrong(each))]) {
    if (figure.label === undefined) continue;
    const text = shortName(figure.label);
    context.font = nameFont(isStrong(figure));
    const place = toScreen(camera, figure);
    const top = place.y - heightOf(figure) * bodyScale(camera) - 2;
    const at = space.place(place.x, top, context.measureText(text).width + 2, NAME_PX);
    context.fillStyle = isStrong(figure) ? palette.text : palette["text-dim"];
    haloText(context, text, at.x, at.y - 2, palette);
  }
  context.restore();
}

/** A verdict about a player, over the names. `age` 0 is now, 1 is gone. */
export function drawVerdict(
  { context }: FittedCanvas,
  space: LabelSpace,
  camera: Camera,
  figure: Figure,
  verdict: { readonly text: string; readonly colour: string },
  age: number,
  palette: MaplePalette,
): void {
  const { x, y } = toScreen(camera, figure);
  context.save();
  context.globalAlpha = Math.min(1, (1 - age) * 3);
  context.font = "600 11px system-ui, sans-serif";
  const half = context.measureText(verdict.text).width / 2 + 6;
  const head = y - heightOf(figure) * bodyScale(camera);
  const at = space.place(x, head - NAME_PX - 6, 2 * half, VERDICT_PX);
  const top = at.y - VERDICT_PX;
  context.fillStyle = palette.panel;
  context.strokeStyle = verdict.colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(at.x - half, top, 2 * half, VERDICT_PX, 4);
  context.fill();
  context.stroke();
  context.fillStyle = verdict.colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(verdict.text, at.x, top + 9);
  context.restore();
}
