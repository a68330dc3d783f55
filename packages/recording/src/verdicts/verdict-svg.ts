/**
 * A verdict as SVG: what the client claimed, where the server had it, and what the rule allowed; a scale, measured against
 * allowed, and the seconds around it. Colours follow the reader's light or dark scheme, and no meaning hangs on a colour alone.
 */
import type { Position } from "wirewalk/motion";
import type { Envelope } from "wirewalk/protocol";
import { isLeast, quantityText } from "wirewalk/protocol";
import type { VerdictExplanation, VerdictMeasure } from "./explain-verdict.ts";

const WIDTH = 760;
const MAP = { left: 16, top: 64, width: 728, height: 380 } as const;
const LEGEND_TOP = MAP.top + MAP.height + 22;
const BAR_TOP = LEGEND_TOP + 48;
const TIME_TOP = BAR_TOP + 62;
const HEIGHT = TIME_TOP + 56;
/** Around what is drawn, as a share of its size; and the least size, in units of the game. */
const MARGIN = 0.08;
const LEAST_SIZE = { px: 60, m: 4, tiles: 6 } as const;
/** What was measured far beyond what is allowed is cut off in the bar. */
const MAX_BAR_SHARE = 4;

const STYLE = `
svg{--back:#fff;--text:#1c2128;--faint:#6a737d;--line:#d0d7de;--claim:#0b57d0;--server:#1a7f37;--allow:#9a6700;--bad:#c5221f;background:var(--back)}
@media (prefers-color-scheme:dark){svg{--back:#16181d;--text:#e6edf3;--faint:#9aa4af;--line:#3a414a;--claim:#79b8ff;--server:#56d364;--allow:#e3b341;--bad:#ff7b72}}
text{font:12px system-ui,sans-serif;fill:var(--text)}.title{font-size:16px;font-weight:600}.faint{fill:var(--faint)}
.frame{fill:none;stroke:var(--line)}.claim{fill:none;stroke:var(--claim);stroke-width:1.5;stroke-dasharray:5 3}.claimed{fill:var(--claim)}
.server{fill:none;stroke:var(--server);stroke-width:2}.ghost{fill:var(--back);stroke:var(--server);stroke-width:2}
.allow{fill:var(--allow);fill-opacity:.14;stroke:var(--allow);stroke-dasharray:2 3}.bad{fill:none;stroke:var(--bad);stroke-width:2}.solid{fill:var(--bad)}
.bar{fill:var(--allow);fill-opacity:.5}.back{fill:var(--back)}`;

/** Characters that end up in text of the file: XML has no others, and names are whatever players type. */
function escapeXml(text: string): string {
  const kept = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "?");
  return kept.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}

/** A complete file. */
export function verdictSvg(explanation: VerdictExplanation): string {
  const { kind, rule, reason, name, player, room, id } = explanation;
  const who = name === undefined ? `player ${player}` : `${name} (player ${player})`;
  const title = `${kind} by ${rule}: ${reason}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(title)}">`,
    `<style>${STYLE}</style><rect class="back" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(16, 28, cut(title, 92), "title"),
    text(
      16,
      50,
      cut(`${who} in room ${room}, ${explanation.seconds.toFixed(3)} s of the recording, verdict ${id}`, 118),
      "faint",
    ),
    map(explanation),
    legend(explanation),
    bar(explanation.measure),
    timeline(explanation),
    "</svg>\n",
  ].join("\n");
}

function text(x: number, y: number, words: string, kind = "", more = ""): string {
  return `<text x="${short(x)}" y="${short(y)}"${kind === "" ? "" : ` class="${kind}"`}${more}>${escapeXml(words)}</text>`;
}

function cut(words: string, length: number): string {
  return words.length <= length ? words : `${words.slice(0, length - 1)}…`;
}

/** Two digits are a fiftieth of what a screen shows. */
function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

interface View {
  readonly x: (x: number) => number;
  readonly y: (y: number) => number;
  /** Of the drawing for one unit of the game. */
  readonly scale: number;
}

/** All places that are drawn; a side of the envelope that is open is none. */
function places(explanation: VerdictExplanation): readonly Position[] {
  const { server, from, at, envelope } = explanation;
  const all: Position[] = [...wayOf(explanation), ...server];
  if (at !== undefined) all.push(at);
  if (from !== undefined) all.push(from);
  if (envelope?.shape === "circle") {
    const { x, y, radius } = envelope;
    all.push({ x: x - radius, y: y - radius }, { x: x + radius, y: y + radius });
  } else if (envelope !== undefined) {
    const centre = from ?? all[0] ?? { x: 0, y: 0 };
    const { left = centre.x, right = centre.x, top = centre.y, bottom = centre.y } = envelope;
    all.push({ x: left, y: top }, { x: right, y: bottom });
  }
  return all.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

function viewOf(explanation: VerdictExplanation): View | undefined {
  const all = places(explanation);
  const { unit, isYDown } = explanation;
  if (all.length === 0 || unit === undefined) return undefined;
  const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y } of all) {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  const least = LEAST_SIZE[unit];
  const width = Math.max(bounds.right - bounds.left, least) * (1 + 2 * MARGIN);
  const height = Math.max(bounds.bottom - bounds.top, least) * (1 + 2 * MARGIN);
  const scale = Math.min(MAP.width / width, MAP.height / height);
  const [middleX, middleY] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  return {
    scale,
    x: (x) => MAP.left + MAP.width / 2 + (x - middleX) * scale,
    y: (y) => MAP.top + MAP.height / 2 + (y - middleY) * scale * (isYDown ? 1 : -1),
  };
}

function map(explanation: VerdictExplanation): string {
  const frame = `<rect class="frame" x="${MAP.left}" y="${MAP.top}" width="${MAP.width}" height="${MAP.height}"/>`;
  const view = viewOf(explanation);
  if (view === undefined) {
    return (
      frame +
      text(MAP.left + 12, MAP.top + 24, "This rule measures no place, and no place is known of the player.", "faint")
    );
  }
  const { server, from, at, envelope, unit = "px" } = explanation;
  const parts = [
    frame,
    `<clipPath id="map"><rect x="${MAP.left}" y="${MAP.top}" width="${MAP.width}" height="${MAP.height}"/></clipPath>`,
  ];
  parts.push('<g clip-path="url(#map)">');
  const isOfPlaces = explanation.picture === "places";
  if (envelope !== undefined && isOfPlaces) parts.push(envelopeShape(envelope, view));
  parts.push(line(server, view, "server"));
  const points = wayOf(explanation);
  parts.push(line(points, view, "claim"));
  for (const { x, y } of points)
    parts.push(`<circle class="claimed" cx="${short(view.x(x))}" cy="${short(view.y(y))}" r="2.2"/>`);
  if (from !== undefined && isOfPlaces) {
    parts.push(`<circle class="ghost" cx="${short(view.x(from.x))}" cy="${short(view.y(from.y))}" r="6"/>`);
  }
  // A cross accuses of a place.
  if (at !== undefined && isOfPlaces) {
    if (from !== undefined) parts.push(line([from, at], view, "bad"));
    parts.push(cross(view.x(at.x), view.y(at.y)));
  }
  parts.push("</g>", scaleBar(view, unit));
  return parts.join("\n");
}

/** The way that the client claimed for whom the verdict is about. */
function wayOf({ claimed, room }: VerdictExplanation): readonly Position[] {
  const mover = claimed.find(({ isJudged }) => isJudged)?.mover;
  return claimed.flatMap((step) => (step.mover === mover && (step.room ?? room) === room ? step.places : []));
}

function line(points: readonly Position[], view: View, kind: string): string {
  if (points.length < 2) return "";
  const list = points.map(({ x, y }) => `${short(view.x(x))},${short(view.y(y))}`).join(" ");
  return `<polyline class="${kind}" points="${list}"/>`;
}

function cross(x: number, y: number): string {
  const [left, right, top, bottom] = [x - 6, x + 6, y - 6, y + 6].map(short);
  return `<path class="bad" d="M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}"/>`;
}

function envelopeShape(envelope: Envelope, view: View): string {
  if (envelope.shape === "circle") {
    const { x, y, radius } = envelope;
    return `<circle class="allow" cx="${short(view.x(x))}" cy="${short(view.y(y))}" r="${short(radius * view.scale)}"/>`;
  }
  const side = (value: number | undefined, to: (value: number) => number, open: number): number =>
    value === undefined ? open : to(value);
  // Far outside of the frame, where it is cut off.
  const left = side(envelope.left, view.x, -WIDTH);
  const right = side(envelope.right, view.x, 2 * WIDTH);
  const ends = [side(envelope.top, view.y, -HEIGHT), side(envelope.bottom, view.y, 2 * HEIGHT)];
  const [top, bottom] = [Math.min(...ends), Math.max(...ends)];
  const possible = `<rect class="allow" x="${short(left)}" y="${short(top)}" width="${short(right - left)}" height="${short(bottom - top)}"/>`;
  const spare = (envelope.spare ?? 0) * view.scale;
  if (spare <= 0) return possible;
  // What is tolerated beyond it, along both axes together.
  const corners = [
    [left, top - spare],
    [right, top - spare],
    [right + spare, top],
    [right + spare, bottom],
    [right, bottom + spare],
    [left, bottom + spare],
    [left - spare, bottom],
    [left - spare, top],
  ];
  const points = corners.map(([x = 0, y = 0]) => `${short(x)},${short(y)}`).join(" ");
  return `${possible}<polygon class="allow" style="fill:none" points="${points}"/>`;
}

/** A length of 1, 2 or 5 times a power of ten. */
function scaleBar(view: View, unit: string): string {
  const most = 150 / view.scale;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power;
  const [x, y] = [MAP.left + 12, MAP.top + MAP.height - 12];
  const to = x + length * view.scale;
  return (
    `<path class="frame" style="stroke:var(--text)" d="M${x} ${y - 5}V${y}H${short(to)}V${y - 5}"/>` +
    text(to + 6, y, `${length} ${unit}`)
  );
}

function legend(explanation: VerdictExplanation): string {
  const { server, from, at, envelope, picture } = explanation;
  const isOfPlaces = picture === "places";
  const entries: string[] = [];
  let left = MAP.left;
  const add = (mark: (x: number, y: number) => string, words: string): void => {
    entries.push(mark(left, LEGEND_TOP - 4), text(left + 28, LEGEND_TOP, words));
    left += 40 + words.length * 6.6;
  };
  if (wayOf(explanation).length > 0) {
    add(
      (x, y) => `<path class="claim" d="M${x} ${y}h22"/><circle class="claimed" cx="${x + 11}" cy="${y}" r="2.2"/>`,
      "claimed by the client",
    );
  }
  if (at !== undefined && isOfPlaces) add((x, y) => cross(x + 11, y), "this message");
  if (server.length > 0) add((x, y) => `<path class="server" d="M${x} ${y}h22"/>`, "where the server had it");
  if (from !== undefined && isOfPlaces)
    add((x, y) => `<circle class="ghost" cx="${x + 11}" cy="${y}" r="6"/>`, "measured from here");
  if (envelope !== undefined && isOfPlaces)
    add((x, y) => `<rect class="allow" x="${x}" y="${y - 6}" width="22" height="12"/>`, "allowed");
  return entries.join("\n");
}

function bar(measure: VerdictMeasure | undefined): string {
  if (measure === undefined)
    return text(MAP.left, BAR_TOP, "The rule measures nothing: the message is not valid in this state.", "faint");
  const { measured, allowed, unit, share } = measure;
  const words =
    allowed === undefined
      ? `measured ${quantityText(measured, unit)}`
      : `measured ${quantityText(measured, unit)}, allowed ${isLeast(unit) ? "at least " : ""}${quantityText(allowed, unit)}${share === undefined ? "" : ` (${share.toFixed(2)} times)`}`;
  if (share === undefined) return text(MAP.left, BAR_TOP, words);
  const full = MAP.width / Math.max(1, Math.min(share, MAX_BAR_SHARE));
  const length = full * Math.min(share, MAX_BAR_SHARE);
  return [
    text(MAP.left, BAR_TOP, words),
    `<rect class="bar" x="${MAP.left}" y="${BAR_TOP + 8}" width="${short(full)}" height="14"/>`,
    `<rect class="bad" x="${MAP.left}" y="${BAR_TOP + 8}" width="${short(length)}" height="14"/>`,
    share > MAX_BAR_SHARE ? text(MAP.left + MAP.width, BAR_TOP, "cut off", "faint", ' text-anchor="end"') : "",
  ].join("\n");
}

function shown(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Messages as ticks, verdicts above them, this one as a line. */
function timeline({ window: { fromMs, toMs }, claimed, near }: VerdictExplanation): string {
  const at = (ms: number): number => MAP.left + ((ms - fromMs) / Math.max(1, toMs - fromMs)) * MAP.width;
  const y = TIME_TOP + 14;
  const ticks = claimed.map(({ ms }) => `M${short(at(ms))} ${y}v-6`).join("");
  const dots = near.map(({ ms }) => `<circle class="solid" cx="${short(at(ms))}" cy="${y - 12}" r="3"/>`);
  return [
    `<path class="frame" d="M${MAP.left} ${y}h${MAP.width}"/>`,
    ticks === "" ? "" : `<path class="frame" style="stroke:var(--claim)" d="${ticks}"/>`,
    ...dots,
    `<path class="bad" d="M${short(at(0))} ${y + 4}v-24"/>`,
    text(MAP.left, y + 20, `${shown(fromMs / 1000)} s`, "faint"),
    text(at(0), y + 20, "this verdict", "", ' text-anchor="middle"'),
    text(MAP.left + MAP.width, y + 20, `+${shown(toMs / 1000)} s`, "faint", ' text-anchor="end"'),
    text(MAP.left + 60, y + 34, "strokes: messages of this client; dots: other verdicts", "faint"),
  ].join("\n");
}
