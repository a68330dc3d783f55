/** Drawing of a map: footholds, ladders, ropes, portals, seats, water, and where monsters begin. Only what is in view. */
import type { Point } from "wirewalk/maplestory";
import { type Foothold, isWall, type MapArea, type MapleMap, type Portal, portalKinds } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { type Box, haloText, type LabelSpace, TAG_FONT } from "../../labels.ts";
import { areaOf, type Camera, toMap, toScreen } from "./camera.ts";
import { type Evidence, type FootholdKind, footholdKind, footholdKinds } from "./evidence.ts";
import type { MaplePalette } from "./marks.ts";

/** Distance between the lines of the grid, and thickness of the ground, in the map's pixels. */
const GRID_PX = 100;
const GROUND_PX = 12;
const WALL_PX = 6;
const RUNG_PX = 14;
const LADDER_PX = 9;
/** Half of the cross where a verdict says that a player was, in pixels of the canvas. */
const CROSS_PX = 6;
/** What the buttons at the lower edge and the title at the upper one take, in pixels of the canvas. */
const LOWER_PX = 52;
const UPPER_PX = 40;
/** Between two arrows of a conveyor. */
const ARROW_PX = 24;

/** Under this scale marks have a size of their own, and there are neither rungs nor words: they would be one blot. */
const DETAIL_SCALE = 0.3;
/** From here on all portals are named: those that lead nowhere, too. */
const NAMES_SCALE = 0.7;
/** Lines of the grid are at least this far apart on the canvas. */
const LEAST_GRID_PX = 24;

/** Pixels of the map around what is in view: parts are drawn that reach into it, with their words. */
const REACH_PX = 90;

/** All that stands still, without words: these keep within the canvas, wherever the map is moved to. */
export function drawMap(fitted: FittedCanvas, camera: Camera, map: MapleMap | undefined, palette: MaplePalette): void {
  const { context, width, height } = fitted;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  if (map !== undefined) drawWaters(fitted, camera, map, palette);
  drawGrid(fitted, camera, palette);
  if (map === undefined) return;
  const area = areaOf(camera, fitted, REACH_PX * camera.scale);
  const footholds = map.footholdsIn(area);
  for (const monster of map.monsters) if (isIn(area, monster)) drawMonsterPlan(context, camera, monster, palette);
  for (const ladder of map.ladders) if (isLadderIn(area, ladder)) drawLadder(context, camera, ladder, palette);
  drawSolids(context, camera, footholds, palette);
  for (const kind of footholdKinds) {
    const drawn = footholds.filter((foothold) => footholdKind(foothold, map) === kind);
    if (drawn.length > 0) drawSurfaces(context, camera, drawn, kind, palette);
  }
  for (const seat of map.seats) if (isIn(area, seat)) drawSeat(context, camera, seat, palette);
  drawPortals(context, camera, map, area, palette);
}

// --- Footholds --------------------------------------------------------------------------------------------------------------

/** The ground under floors, beside walls and above undersides: a chain of footholds has it to the right of its direction. */
function drawSolids(
  context: CanvasRenderingContext2D,
  camera: Camera,
  footholds: readonly Foothold[],
  palette: MaplePalette,
): void {
  context.fillStyle = palette["scene-solid"];
  context.beginPath();
  for (const foothold of footholds) traceSolid(context, camera, foothold);
  context.fill();
}

function traceSolid(context: CanvasRenderingContext2D, camera: Camera, foothold: Foothold): void {
  const { from, to } = ends(camera, foothold);
  const isFloor = foothold.x1 < foothold.x2;
  const thick = (isFloor ? GROUND_PX : WALL_PX) * camera.scale;
  if (isWall(foothold)) {
    const side = foothold.y2 < foothold.y1 ? thick : -thick;
    context.rect(Math.min(from.x, from.x + side), Math.min(from.y, to.y), thick, Math.abs(to.y - from.y));
    return;
  }
  const down = isFloor ? thick : -thick;
  const inward = isFloor ? thick * 0.6 : 0;
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.lineTo(to.x - (foothold.next === 0 ? inward : 0), to.y + down);
  context.lineTo(from.x + (foothold.previous === 0 ? inward : 0), from.y + down);
  context.closePath();
}

/** Lines of one kind: walls are upright, undersides dashed, ice is doubled, conveyors have arrows. */
function drawSurfaces(
  context: CanvasRenderingContext2D,
  camera: Camera,
  footholds: readonly Foothold[],
  kind: FootholdKind,
  palette: MaplePalette,
): void {
  const { scale } = camera;
  const isDetailed = scale >= DETAIL_SCALE;
  context.save();
  context.strokeStyle = surfaceColour(kind, palette);
  context.lineWidth = isDetailed ? (kind === "wall" ? 1.8 : 2) : 1.2;
  context.lineCap = "round";
  if (kind === "underside") context.setLineDash([4, 4]);
  context.beginPath();
  for (const foothold of footholds) {
    const { from, to } = ends(camera, foothold);
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    // A notch between two floors.
    if (isDetailed && (kind === "floor" || kind === "ice") && foothold.next !== 0)
      context.lineTo(to.x, to.y + GROUND_PX * scale);
  }
  context.stroke();
  if (isDetailed && kind === "ice") traceIce(context, camera, footholds);
  if (isDetailed && kind === "conveyor") traceArrows(context, camera, footholds);
  context.restore();
}

function surfaceColour(kind: FootholdKind, palette: MaplePalette): string {
  switch (kind) {
    case "floor":
      return palette["maple-ground"];
    case "ice":
      return palette["scene-ice"];
    case "conveyor":
      return palette["maple-conveyor"];
    case "wall":
    case "underside":
      return palette["maple-wall"];
  }
}

function traceIce(context: CanvasRenderingContext2D, camera: Camera, footholds: readonly Foothold[]): void {
  context.lineWidth = 1;
  context.beginPath();
  for (const foothold of footholds) {
    const { from, to } = ends(camera, foothold);
    context.moveTo(from.x, from.y + 4);
    context.lineTo(to.x, to.y + 4);
  }
  context.stroke();
}

function traceArrows(context: CanvasRenderingContext2D, camera: Camera, footholds: readonly Foothold[]): void {
  context.lineWidth = 1.4;
  context.beginPath();
  for (const foothold of footholds) {
    const { from, to } = ends(camera, foothold);
    const forth = (foothold.force ?? 0) > 0 ? 3 : -3;
    const count = Math.max(1, Math.floor((to.x - from.x) / (ARROW_PX * camera.scale)));
    for (let index = 0; index < count; index++) {
      const part = (index + 0.5) / count;
      const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part + 6];
      context.moveTo(x - forth, y - 3);
      context.lineTo(x, y);
      context.lineTo(x - forth, y + 3);
    }
  }
  context.stroke();
}

function ends(camera: Camera, { x1, y1, x2, y2 }: Foothold) {
  return { from: toScreen(camera, { x: x1, y: y1 }), to: toScreen(camera, { x: x2, y: y2 }) };
}

/** What a verdict is about, in a colour of its own and with its number. Gives where the words stand. */
export function highlightEvidence(
  fitted: FittedCanvas,
  camera: Camera,
  evidence: Evidence,
  palette: MaplePalette,
): readonly Box[] {
  const { footholds, ladders, portals, waters, place } = evidence;
  const boxes = [
    ...footholds.map((foothold) => {
      const words = `${isWall(foothold) ? "wall" : "foothold"} ${foothold.id}`;
      return highlightLine(fitted, ends(camera, foothold), words, palette);
    }),
    ...ladders.map(({ id, x, top, bottom, rope }) => {
      const line = { from: toScreen(camera, { x, y: top }), to: toScreen(camera, { x, y: bottom }) };
      return highlightLine(fitted, line, `${rope === true ? "rope" : "ladder"} ${id}`, palette);
    }),
    ...portals.map(({ id, name, x, y }) => {
      const line = { from: toScreen(camera, { x, y: y - TALL_PX }), to: toScreen(camera, { x, y }) };
      return highlightLine(fitted, line, `portal ${name === "" ? id : name}`, palette);
    }),
    ...waters.map(({ left, top, right }) => {
      const line = { from: toScreen(camera, { x: left, y: top }), to: toScreen(camera, { x: right, y: top }) };
      return highlightLine(fitted, line, "edge of the water", palette);
    }),
  ];
  return place === undefined ? boxes : [...boxes, markPlace(fitted, camera, place, palette)];
}

/** A cross where the path said that the player was. */
function markPlace(
  fitted: FittedCanvas,
  camera: Camera,
  place: NonNullable<Evidence["place"]>,
  palette: MaplePalette,
): Box {
  const { context } = fitted;
  const { x, y } = toScreen(camera, place);
  context.save();
  for (const [line, colour] of [
    [5, palette.scene],
    [2, palette.flag],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.beginPath();
    context.moveTo(x - CROSS_PX, y - CROSS_PX);
    context.lineTo(x + CROSS_PX, y + CROSS_PX);
    context.moveTo(x + CROSS_PX, y - CROSS_PX);
    context.lineTo(x - CROSS_PX, y + CROSS_PX);
    context.stroke();
  }
  context.restore();
  return drawEvidenceWords(fitted, { x, y: y + CROSS_PX + 10 }, false, place.words, palette);
}

function highlightLine(
  fitted: FittedCanvas,
  { from, to }: { readonly from: Point; readonly to: Point },
  words: string,
  palette: MaplePalette,
): Box {
  const { context, width, height } = fitted;
  context.save();
  context.lineCap = "round";
  for (const [line, alpha] of [
    [11, 0.35],
    [3.5, 1],
  ] as const) {
    context.globalAlpha = alpha;
    context.strokeStyle = palette.accent;
    context.lineWidth = line;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.restore();
  const arrow = arrowTo({ width, height }, from, to);
  if (arrow !== undefined) {
    // Above the buttons, which are at the lower edge.
    const at = { x: (from.x + to.x) / 2, y: Math.min((from.y + to.y) / 2, height - LOWER_PX) };
    return drawEvidenceWords(fitted, { x: at.x, y: Math.max(at.y, UPPER_PX) }, false, `${arrow} ${words}`, palette);
  }
  const isUpright = from.x === to.x;
  // A long one may have its middle outside the canvas.
  const [x, y] = [middleIn(from.x, to.x, width), middleIn(from.y, to.y, height)];
  return drawEvidenceWords(fitted, { x, y: isUpright ? y : y + 16 }, isUpright, words, palette);
}

/** Where a line is that is outside a canvas; undefined for one of which something is in it. */
function arrowTo(
  size: { readonly width: number; readonly height: number },
  from: Point,
  to: Point,
): string | undefined {
  if (Math.max(from.x, to.x) < 0) return "←";
  if (Math.min(from.x, to.x) > size.width) return "→";
  if (Math.max(from.y, to.y) < 0) return "↑";
  return Math.min(from.y, to.y) > size.height ? "↓" : undefined;
}

/** Words at a place of the canvas: beside it, or under it. Within the canvas. */
function drawEvidenceWords(
  { context, width, height }: FittedCanvas,
  { x, y }: Point,
  isBeside: boolean,
  words: string,
  palette: MaplePalette,
): Box {
  context.save();
  context.font = TAG_FONT;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = palette.text;
  const wide = context.measureText(words).width;
  const left = Math.max(EDGE_PX, Math.min(width - wide - EDGE_PX, isBeside ? x + 10 : x - wide / 2));
  const middle = Math.min(height - WORDS_PX, y);
  haloText(context, words, left, middle, palette);
  context.restore();
  return { left, right: left + wide, top: middle - WORDS_PX / 2, bottom: middle + WORDS_PX / 2 };
}

/** The middle of the part of a line that is between 0 and a limit. */
function middleIn(from: number, to: number, limit: number): number {
  const within = (value: number): number => Math.min(limit, Math.max(0, value));
  return (within(from) + within(to)) / 2;
}

// --- Water, and the lines of the grid -----------------------------------------------------------------------------------

function drawWaters(fitted: FittedCanvas, camera: Camera, map: MapleMap, palette: MaplePalette): void {
  const { context, width, height } = fitted;
  context.save();
  context.fillStyle = palette["scene-water"];
  context.globalAlpha = 0.35;
  if (map.swims) context.fillRect(0, 0, width, height);
  for (const { left, top, right, bottom } of map.waters) {
    const from = toScreen(camera, { x: left, y: top });
    const to = toScreen(camera, { x: right, y: bottom });
    context.globalAlpha = 0.35;
    context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    context.globalAlpha = 1;
    context.fillRect(from.x, from.y, to.x - from.x, 2);
  }
  context.restore();
}

/** Between two lines of the grid, in the map's pixels. */
function gridStep({ scale }: Camera): number {
  let step = GRID_PX;
  while (step * scale < LEAST_GRID_PX) step *= 10;
  return step;
}

function drawGrid({ context, width, height }: FittedCanvas, camera: Camera, palette: MaplePalette): void {
  const { scale, left, top } = camera;
  const step = gridStep(camera) * scale;
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1;
  context.beginPath();
  for (let x = left % step; x < width; x += step) {
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (let y = top % step; y < height; y += step) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
}

// --- Ladders, seats, monsters --------------------------------------------------------------------------------------

function drawLadder(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { x, top, bottom, rope, closedTop }: MapleMap["ladders"][number],
  palette: MaplePalette,
): void {
  const upper = toScreen(camera, { x, y: top });
  const lower = toScreen(camera, { x, y: bottom });
  const isDetailed = camera.scale >= DETAIL_SCALE;
  const half = Math.max(LADDER_PX * camera.scale, 2);
  context.strokeStyle = palette["scene-edge"];
  context.lineWidth = rope === true && isDetailed ? 2.5 : 1.5;
  context.beginPath();
  if (rope === true) {
    context.setLineDash([3, 2]);
    context.moveTo(upper.x, upper.y);
    context.lineTo(lower.x, lower.y);
  } else {
    for (const side of [-half, half]) {
      context.moveTo(upper.x + side, upper.y);
      context.lineTo(lower.x + side, lower.y);
    }
    for (let y = upper.y + 3; isDetailed && y < lower.y; y += RUNG_PX * camera.scale) {
      context.moveTo(upper.x - half, y);
      context.lineTo(upper.x + half, y);
    }
  }
  context.stroke();
  context.setLineDash([]);
  if (closedTop !== true || !isDetailed) return;
  // One cannot climb over this end.
  context.beginPath();
  context.moveTo(upper.x - half * 1.4, upper.y);
  context.lineTo(upper.x + half * 1.4, upper.y);
  context.stroke();
}

function drawSeat(
  context: CanvasRenderingContext2D,
  camera: Camera,
  seat: MapleMap["seats"][number],
  palette: MaplePalette,
): void {
  if (camera.scale < DETAIL_SCALE) return;
  const { x, y } = toScreen(camera, seat);
  const half = 11 * camera.scale;
  context.strokeStyle = palette["text-dim"];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - half, y - half * 0.8);
  context.lineTo(x + half, y - half * 0.8);
  for (const side of [-half * 0.8, half * 0.8]) {
    context.moveTo(x + side, y - half * 0.8);
    context.lineTo(x + side, y);
  }
  context.stroke();
}

/** Where a monster begins: an outline on the ground, so that it does not look like a monster. */
function drawMonsterPlan(
  context: CanvasRenderingContext2D,
  camera: Camera,
  monster: MapleMap["monsters"][number],
  palette: MaplePalette,
): void {
  if (camera.scale < DETAIL_SCALE) return;
  const { x, y } = toScreen(camera, monster);
  const { scale } = camera;
  context.save();
  context.globalAlpha = 0.5;
  context.strokeStyle = palette["maple-monster"];
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.arc(x, y, 12 * scale, Math.PI, 0);
  context.closePath();
  context.stroke();
  context.restore();
}

// --- Portals -------------------------------------------------------------------------------------------------------------

/** `pad`: where players only arrive. `hidden`: shown when one is near. `box`: fires when it is touched. `spring`: throws up. */
export type PortalLook = "pad" | "gate" | "invisible" | "hidden" | "box" | "door" | "spring";

/** A kind that no table knows looks as what it does. */
export function portalLook({ kind, target, script }: Portal): PortalLook {
  switch (kind) {
    case portalKinds.start:
      return "pad";
    case portalKinds.visible:
    case portalKinds.changeable:
    case portalKinds.script:
      return "gate";
    case portalKinds.changeableInvisible:
    case portalKinds.scriptInvisible:
      return "invisible";
    case portalKinds.touched:
    case portalKinds.scriptTouched:
      return "box";
    case portalKinds.hidden:
    case portalKinds.scriptHidden:
      return "hidden";
    case portalKinds.door:
      return "door";
    case portalKinds.spring:
    case portalKinds.springOfOwn:
      return "spring";
    default:
      // An invisible one without a target is a place to arrive.
      return target === undefined && script === undefined ? "pad" : "invisible";
  }
}

/** `west00 to 100010000`, `in01, script market01`, `tp`. */
export function portalWords({ name, target, script }: Portal, mapId: number): string {
  const label = name === "" ? "portal" : name;
  if (target !== undefined)
    return target.mapId === mapId ? `${label} to ${target.portal} here` : `${label} to ${target.mapId}`;
  return script === undefined ? label : `${label}, script ${script}`;
}

/** Drawn height and half of the width, in the map's pixels; of one that is touched, how far it reaches if it does not say. */
const TALL_PX = 62;
const HALF_PX = 17;
const TOUCH_PX = 30;
/** Height of the words over a portal, in pixels of the canvas. */
const WORDS_PX = 12;

/** From afar a portal is as large as at this scale; where players only arrive is not drawn. */
const LEAST_PORTAL_SCALE = 0.16;

function drawPortals(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { portals }: MapleMap,
  area: MapArea,
  palette: MaplePalette,
): void {
  const hasPads = camera.scale >= DETAIL_SCALE;
  context.save();
  context.strokeStyle = palette["maple-portal"];
  context.fillStyle = palette["maple-portal"];
  context.lineWidth = 1.5;
  for (const portal of portals) {
    if (isIn(area, portal) && (hasPads || portalLook(portal) !== "pad")) drawPortal(context, camera, portal);
  }
  context.restore();
}

/** Names of portals and where they lead, from near. They take their places in the space of all words. */
export function drawPortalWords(
  fitted: FittedCanvas,
  camera: Camera,
  map: MapleMap,
  palette: MaplePalette,
  space: LabelSpace,
): void {
  if (camera.scale < DETAIL_SCALE) return;
  const { context } = fitted;
  const area = areaOf(camera, fitted);
  context.save();
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillStyle = palette["maple-portal"];
  for (const portal of map.portals) {
    if (!isIn(area, portal)) continue;
    const look = portalLook(portal);
    if (portal.kind === portalKinds.start || (look === "pad" && camera.scale < NAMES_SCALE)) continue;
    const words = portalWords(portal, map.mapId);
    const { x, y } = toScreen(camera, portal);
    const tall = (look === "pad" || look === "spring" ? 10 : TALL_PX) * camera.scale;
    const at = space.place(x, y - tall - 2, context.measureText(words).width + 4, WORDS_PX);
    haloText(context, words, at.x, at.y, palette);
  }
  context.restore();
}

function drawPortal(context: CanvasRenderingContext2D, camera: Camera, portal: Portal): void {
  const { x, y } = toScreen(camera, portal);
  const look = portalLook(portal);
  const scale = Math.max(camera.scale, LEAST_PORTAL_SCALE);
  const [tall, half] = [TALL_PX * scale, HALF_PX * scale];
  context.globalAlpha = look === "pad" ? 0.5 : 1;
  context.setLineDash(look === "invisible" ? [4, 3] : look === "hidden" ? [1.5, 3] : []);
  context.beginPath();
  switch (look) {
    case "pad":
      context.ellipse(x, y, half, half / 4, 0, 0, 2 * Math.PI);
      break;
    case "box": {
      const [reachX, reachY] = [(portal.reachX ?? TOUCH_PX) * camera.scale, (portal.reachY ?? TOUCH_PX) * camera.scale];
      context.rect(x - Math.max(reachX, 3), y - Math.max(reachY, 3), Math.max(2 * reachX, 6), Math.max(2 * reachY, 6));
      break;
    }
    case "door":
      context.rect(x - half, y - tall, 2 * half, tall);
      break;
    case "spring":
      traceSpring(context, x, y, portal, scale);
      break;
    default:
      context.ellipse(x, y - tall / 2, half, tall / 2, 0, 0, 2 * Math.PI);
  }
  context.stroke();
  if (look === "gate" || look === "box") {
    context.globalAlpha = look === "gate" ? 0.22 : 0.1;
    context.fill();
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

/** Two arrow heads in the direction of the throw, which is up where the portal does not say. */
function traceSpring(context: CanvasRenderingContext2D, x: number, y: number, portal: Portal, scale: number): void {
  const { impactX = 0, impactY = 0 } = portal;
  // Impacts are upwards.
  const angle = impactX === 0 && impactY === 0 ? -Math.PI / 2 : Math.atan2(-Math.abs(impactY), impactX);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const size = 12 * scale;
  for (const forth of [0, size]) {
    const [tipX, tipY] = [x + cos * (forth + size), y + sin * (forth + size)];
    context.moveTo(tipX - cos * size + sin * size, tipY - sin * size - cos * size);
    context.lineTo(tipX, tipY);
    context.lineTo(tipX - cos * size - sin * size, tipY - sin * size + cos * size);
  }
}

function isIn({ left, top, right, bottom }: MapArea, { x, y }: { readonly x: number; readonly y: number }): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

function isLadderIn(area: MapArea, { x, top, bottom }: MapleMap["ladders"][number]): boolean {
  return x >= area.left && x <= area.right && top <= area.bottom && bottom >= area.top;
}

/** What is drawn over the map at its edge: its height, and the free space around it. */
const TITLE_PX = 18;
const EDGE_PX = 7;

/** The map's title in a frame: what lies behind it would not let it be read. Gives where it stands. */
export function drawTitle({ context, width }: FittedCanvas, title: string, palette: MaplePalette): Box {
  context.save();
  context.font = "600 11.5px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  const wide = Math.min(width - 2 * EDGE_PX, context.measureText(title).width + 12);
  context.beginPath();
  context.roundRect(EDGE_PX, EDGE_PX, wide, TITLE_PX, 5);
  context.globalAlpha = 0.88;
  context.fillStyle = palette.panel;
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = palette.text;
  context.fillText(title, EDGE_PX + 6, EDGE_PX + TITLE_PX / 2 + 0.5, wide - 12);
  context.restore();
  return { left: EDGE_PX, right: EDGE_PX + wide, top: EDGE_PX, bottom: EDGE_PX + TITLE_PX };
}

/** Between two numbers at the edges, in pixels of the canvas. */
const LEAST_NUMBER_PX = 88;
/** Corners without numbers: the title is in the one, and what chooses the view in the other. */
const TITLE_CORNER_PX = 34;
const VIEW_CORNER_PX = 150;

/** Coordinates at the lines of the grid, as messages have them: y at the left edge, x at the lower one. */
export function drawCoordinates({ context, width, height }: FittedCanvas, camera: Camera, palette: MaplePalette): void {
  const grid = gridStep(camera);
  const step = Math.ceil(LEAST_NUMBER_PX / camera.scale / grid) * grid;
  const from = toMap(camera, { x: 0, y: 0 });
  const to = toMap(camera, { x: width, y: height });
  context.save();
  context.font = "9.5px ui-monospace, monospace";
  context.fillStyle = palette["text-dim"];
  context.textBaseline = "bottom";
  context.textAlign = "left";
  for (let x = Math.ceil(from.x / step) * step; x < to.x; x += step) {
    const at = toScreen(camera, { x, y: 0 }).x + 3;
    if (at > EDGE_PX + 30 && at < width - VIEW_CORNER_PX) haloText(context, String(x), at, height - 2, palette);
  }
  for (let y = Math.ceil(from.y / step) * step; y < to.y; y += step) {
    const at = toScreen(camera, { x: 0, y }).y - 1;
    if (at > TITLE_CORNER_PX && at < height - 12) haloText(context, String(y), 4, at, palette);
  }
  context.restore();
}
