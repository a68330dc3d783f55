/** A chart as SVG: lines on two logarithmic scales, readable on light and dark pages. */
import { type Chart, exponentOf, type Point, type Series, withSeparators } from "./report.ts";

const WIDTH = 760;
const HEIGHT = 400;
const LEFT = 72;
const RIGHT = 250;
const TOP = 44;
const BOTTOM = 52;
/** Between two labels at the ends of lines. */
const LABEL_PX = 17;

/** Colours of the lines by their order, on light and on dark ground; ours come first. */
const colours = [
  ["#0b62c4", "#6cb0ff"],
  ["#b45309", "#f5a742"],
  ["#15803d", "#5fd38a"],
  ["#a21caf", "#e58af0"],
  ["#b91c1c", "#ff8a80"],
  ["#0f766e", "#4fd1c5"],
  ["#57534e", "#c4bdb5"],
  ["#6d28d9", "#b79cff"],
] as const;

const style = [
  "svg{color-scheme:light dark;font:12px system-ui,sans-serif}",
  ".ground{fill:#fff}.text{fill:#24292f}.faint{fill:#57606a}.grid{stroke:#d8dee4;stroke-width:1}",
  "polyline{fill:none;stroke-width:2.2}",
  ...colours.map(([light], index) => `.s${index}{stroke:${light}}.f${index}{fill:${light}}`),
  "@media(prefers-color-scheme:dark){.ground{fill:#0d1117}.text{fill:#e6edf3}.faint{fill:#9da7b3}.grid{stroke:#30363d}",
  ...colours.map(([, dark], index) => `.s${index}{stroke:${dark}}.f${index}{fill:${dark}}`),
  "}",
].join("");

/** From a value to a place along an axis. */
interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

function scaleOf(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  // A line of equal values has a scale too.
  const margin = Math.max((high - low) * 0.04, 0.05);
  const [start, end] = [low - margin, high + margin];
  const candidates: number[] = [];
  for (let power = Math.floor(start); power <= Math.ceil(end); power += 1) {
    for (const step of end - start > 2.5 ? [1] : [1, 2, 5]) candidates.push(step * 10 ** power);
  }
  const ticks = candidates.filter((tick) => Math.log10(tick) >= start && Math.log10(tick) <= end);
  return { ticks, place: (value) => from + ((Math.log10(value) - start) / (end - start)) * (to - from) };
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

function tickText(value: number): string {
  return value < 1 ? String(Number(value.toPrecision(2))) : withSeparators(String(Number(value.toPrecision(3))));
}

/** The growth of a line, in words: `n^0.98`. */
export function growthText({ points }: Series): string {
  const exponent = exponentOf(points);
  return Number.isNaN(exponent) ? "" : `n^${exponent.toFixed(2)}`;
}

/** Labels at their lines' ends, moved apart where they would cover each other. */
function labelPlaces(ends: readonly number[]): readonly number[] {
  const order = ends.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let last = Number.NEGATIVE_INFINITY;
  for (const each of order) {
    each.y = Math.max(each.y, last + LABEL_PX);
    last = each.y;
  }
  const over = Math.max(0, last - (HEIGHT - BOTTOM));
  const places = new Array<number>(ends.length);
  for (const { y, index } of order) places[index] = y - over;
  return places;
}

/** The chart as a document. Points at or below zero have no place on logarithmic scales and are left out. */
export function chartSvg(chart: Chart): string {
  const series = chart.series
    .toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs))
    .map((each) => ({ ...each, points: each.points.filter(({ x, y }) => x > 0 && y > 0) }))
    .filter(({ points }) => points.length > 0);
  const all = series.flatMap(({ points }) => points);
  const xs = scaleOf(
    all.map(({ x }) => x),
    LEFT,
    WIDTH - RIGHT,
  );
  const ys = scaleOf(
    all.map(({ y }) => y),
    HEIGHT - BOTTOM,
    TOP,
  );
  const place = ({ x, y }: Point): string => `${round(xs.place(x))},${round(ys.place(y))}`;
  const ends = labelPlaces(series.map(({ points }) => ys.place((points.at(-1) as Point).y)));
  const lines = series.flatMap((each, index) => {
    const colour = index % colours.length;
    const dashes = each.isOurs ? "" : ' stroke-dasharray="6 4"';
    const growth = growthText(each);
    return [
      `<polyline class="s${colour}"${dashes} points="${each.points.map(place).join(" ")}"/>`,
      ...each.points.map(
        ({ x, y }) => `<circle class="f${colour}" cx="${round(xs.place(x))}" cy="${round(ys.place(y))}" r="3"/>`,
      ),
      text(WIDTH - RIGHT + 12, (ends[index] ?? 0) + 4, `${each.name}  ${growth}`.trim(), `class="f${colour}"`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${escapeXml(chart.title)}</title><style>${style}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    text(16, 24, chart.title, 'class="text" font-size="14" font-weight="600"'),
    ...xs.ticks.flatMap((tick) => {
      const x = round(xs.place(tick));
      return [
        `<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`,
        text(xs.place(tick), HEIGHT - BOTTOM + 18, tickText(tick), 'class="faint" text-anchor="middle"'),
      ];
    }),
    ...ys.ticks.flatMap((tick) => {
      const y = round(ys.place(tick));
      return [
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/>`,
        text(LEFT - 8, ys.place(tick) + 4, tickText(tick), 'class="faint" text-anchor="end"'),
      ];
    }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, chart.xTitle, 'class="text" text-anchor="middle"'),
    text(
      0,
      0,
      chart.yTitle,
      `class="text" text-anchor="middle" transform="translate(18 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"`,
    ),
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}
