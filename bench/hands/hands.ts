/**
 * How often the score of a mouse accuses people, and how often it finds machines, on recordings of people in a folder that the user
 * names. People and machines go one way (`capture-path.ts`); machines play in the place of a person, with the rates and the screen of
 * that person. Halves are of people, never of windows.
 */
import { createRandom } from "wirewalk/motion";
import { MouseKinematics, type MousePoint } from "wirewalk/osrs/mouse";
import { handCheats, mouseCheats } from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/bot.ts";
import {
  cutStrokes,
  type RecordedStroke,
  type TimedPoint,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/recorded-pointer.ts";
import type { Report, Row, Table } from "../report.ts";
import { eventRate, playBot, playPerson, resampled, type Visit } from "./capture-path.ts";
import { findRecordings, type Recording } from "./people.ts";

export interface HandsOptions {
  /** The folder with recordings of people. */
  readonly data: string;
  /** A folder with recordings of machines in the same formats: programs that are no part of this project. */
  readonly machines?: string | undefined;
  /** The first of three seeds of the machines: each place is played with one of them. */
  readonly seed: number;
  readonly quick: boolean;
}

const WINDOWS_S = [20, 60, 180, 600] as const;
/** A score from here on is a finding. */
const FLAGGED = 0.5;
/** Machines play as long as a recording of SapiMouse lasts, and in the place of Balabit's people for ten minutes. */
const SEEDS = 3;
/** One SapiMouse recording in so many lends its place to machines. */
const EVERY = 3;
const BOT_MS: Readonly<Record<string, number>> = { sapimouse: 181_000, balabit: 601_000 };
const MIN_EVENTS = 100;
/** So many recordings of each person of Balabit lend their place to machines. */
const LENT = 1;

interface Window {
  readonly seconds: number;
  readonly person: string;
  readonly set: string;
  /** `human`, `resampled`, a cheat, or the name of a machine's file. */
  readonly kind: string;
  readonly score: number;
  readonly rules: readonly string[];
}

/** Scores of windows that do not overlap; those with too few strokes for any finding are left out. */
class WindowScores {
  readonly #windows: Window[];
  readonly #about: Omit<Window, "seconds" | "score" | "rules">;
  readonly #open = WINDOWS_S.map((seconds) => ({ seconds, number: 0, kinematics: new MouseKinematics("client") }));

  constructor(windows: Window[], about: Omit<Window, "seconds" | "score" | "rules">) {
    this.#windows = windows;
    this.#about = about;
  }

  push(point: MousePoint): void {
    for (const open of this.#open) {
      const number = Math.floor(point.atMs / (open.seconds * 1000));
      if (number !== open.number) {
        this.#close(open);
        open.number = number;
        open.kinematics = new MouseKinematics("client");
      }
      open.kinematics.push(point);
    }
  }

  /** The last window counts where it is whole but for a few seconds. */
  end(atMs: number): void {
    for (const open of this.#open) {
      if (atMs - open.number * open.seconds * 1000 > open.seconds * 950) this.#close(open);
    }
  }

  #close({ seconds, kinematics }: { readonly seconds: number; readonly kinematics: MouseKinematics }): void {
    kinematics.finish();
    if (kinematics.moves < 10) return;
    const { score, findings } = kinematics.score();
    this.#windows.push({
      ...this.#about,
      seconds,
      score,
      rules: findings.map(({ rule }) => rule),
    });
  }
}

/** A recording of a person from end to end, as a server sees it. */
interface Session {
  readonly person: string;
  readonly moves: number;
  /** Rules that gave a verdict at some time. */
  readonly verdicts: readonly string[];
}

const SCORE_EVERY = 5;

function wholeSession(person: string, points: readonly TimedPoint[]): Session {
  const kinematics = new MouseKinematics("client");
  const verdicts = new Set<string>();
  let scoredAt = 0;
  playPerson(points, (point) => {
    kinematics.push(point);
    if (kinematics.moves < scoredAt + SCORE_EVERY) return;
    scoredAt = kinematics.moves;
    for (const { rule, strength } of kinematics.score().findings) if (strength >= FLAGGED) verdicts.add(rule);
  });
  return { person, moves: kinematics.moves, verdicts: [...verdicts] };
}

/** Plays everything. */
export function playAll({ data, machines, seed, quick }: HandsOptions): {
  readonly windows: readonly Window[];
  readonly sessions: readonly Session[];
} {
  const found = findRecordings(data);
  if (found.length === 0) throw new RangeError(`${data}: no recordings of Balabit or SapiMouse (user1/session_...)`);
  const windows: Window[] = [];
  const sessions: Session[] = [];
  const lent = new Map<string, number>();
  const run = (recording: Recording, kind: string, play: (visit: Visit) => void): void => {
    const scores = new WindowScores(windows, { person: recording.person, set: recording.set, kind });
    let endMs = 0;
    play((point) => {
      endMs = point.atMs;
      scores.push(point);
    });
    scores.end(endMs);
  };
  let number = 0;
  for (const recording of quick ? found.filter((_, at) => at % 20 === 0) : found) {
    const points = recording.read();
    if (points.length < MIN_EVENTS) continue;
    number += 1;
    sessions.push(wholeSession(recording.person, points));
    run(recording, "human", (visit) => playPerson(points, visit));
    run(recording, "resampled", (visit) => playPerson(resampled(points, number), visit));
    const places = lent.get(recording.person) ?? 0;
    const lends =
      recording.set === "balabit" ? places < LENT : number % EVERY === 0 && !recording.file.includes("1min");
    if (!lends) continue;
    lent.set(recording.person, places + 1);
    const place = placeOf(points);
    for (const [at, cheat] of [...mouseCheats, ...handCheats].entries()) {
      const random = createRandom((seed + (Math.floor(number / EVERY) % SEEDS)) * 1_000_003 + number * 101 + at);
      const durationMs = BOT_MS[recording.set] as number;
      run(recording, cheat, (visit) => playBot({ random, number: 0, cheat, ...place }, durationMs, visit));
    }
  }
  for (const recording of machines === undefined ? [] : findRecordings(machines)) {
    run(recording, "left out", (visit) => playPerson(recording.read(), visit));
  }
  return { windows, sessions };
}

interface PersonsPlace {
  readonly strokes: readonly RecordedStroke[];
  readonly eventsMs: readonly number[];
  readonly window: { readonly width: number; readonly height: number };
}

function placeOf(points: readonly TimedPoint[]): PersonsPlace {
  const most = (of: (point: TimedPoint) => number): number =>
    points.reduce((large, point) => Math.max(large, of(point)), 200);
  return {
    strokes: cutStrokes(points),
    eventsMs: eventRate(points),
    window: { width: most(({ x }) => x) + 1, height: most(({ y }) => y) + 1 },
  };
}

/** The chance that a machine's window has a higher score than a person's; equal ones count half. */
export function aucOf(people: readonly number[], machines: readonly number[]): number {
  const sorted = people.toSorted((a, b) => a - b);
  const below = (score: number, orEqual: boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = sorted[middle] as number;
      if (value < score || (orEqual && value === score)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const wins = machines.reduce((sum, score) => sum + (below(score, false) + below(score, true)) / 2, 0);
  return wins / (people.length * machines.length);
}

const DRAWS = 2000;

const flaggedShare = (windows: readonly Window[]): number =>
  windows.filter(({ score }) => score >= FLAGGED).length / windows.length;

const byPerson = (windows: readonly Window[]): readonly (readonly Window[])[] => [
  ...Map.groupBy(windows, ({ person }) => person).values(),
];

const percent = (share: number): string =>
  Number.isNaN(share) ? "-" : `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 2 : 1)} %`;

/** A share with the interval of a bootstrap over people. */
function shareText(windows: readonly Window[]): string {
  if (windows.length === 0) return "-";
  const counted = byPerson(windows).map((own) => ({
    flagged: own.filter((window) => window.score >= FLAGGED).length,
    all: own.length,
  }));
  const random = createRandom(7);
  const values = Array.from({ length: DRAWS }, () => {
    let [flagged, all] = [0, 0];
    for (let at = 0; at < counted.length; at++) {
      const drawn = random.pick(counted);
      flagged += drawn.flagged;
      all += drawn.all;
    }
    return flagged / all;
  }).sort((a, b) => a - b);
  const [low, high] = [values[Math.floor(DRAWS * 0.025)] as number, values[Math.ceil(DRAWS * 0.975) - 1] as number];
  return `${percent(flaggedShare(windows))} (${percent(low)} to ${percent(high)})`;
}

/** People of odd numbers chose the limits; those of even numbers were looked at afterwards. */
const isDesign = ({ person }: Window): boolean => Number(/\d+$/.exec(person)?.[0]) % 2 === 1;

const columns = (titles: Readonly<Record<string, string>>): Table["columns"] =>
  Object.entries(titles).map(([key, title]) => ({ key, title }));

function peopleTable(windows: readonly Window[]): Table {
  const people = windows.filter(({ kind }) => kind === "human");
  const rows = WINDOWS_S.flatMap((seconds): Row[] =>
    (
      [
        ["all people", () => true],
        ["people of odd numbers, who chose the limits", isDesign],
        ["people of even numbers", (window: Window) => !isDesign(window)],
        ["SapiMouse", ({ set }: Window) => set === "sapimouse"],
        ["Balabit", ({ set }: Window) => set === "balabit"],
      ] as const
    ).flatMap(([name, of]) => {
      const own = people.filter((window) => window.seconds === seconds && of(window));
      if (own.length === 0) return [];
      const all = byPerson(own);
      const accused = all.filter((each) => each.some(({ score }) => score >= FLAGGED)).length;
      const cells = {
        windows: own.length.toLocaleString("en"),
        now: shareText(own),
        people: `${accused} of ${all.length}`,
      };
      return [{ name: `${seconds} s, ${name}`, isOurs: true, cells }];
    }),
  );
  const titles = { windows: "windows", now: "flagged", people: "people with one flagged" };
  return {
    id: "people",
    title: "people: windows with a score of 0.5 or more",
    rowTitle: "window",
    columns: columns(titles),
    rows,
  };
}

function attackTable(windows: readonly Window[], set: string): Table {
  const kinds = [...new Set(windows.filter((window) => window.set === set).map(({ kind }) => kind))].filter(
    (kind) => kind !== "human",
  );
  const lengths = WINDOWS_S.filter((seconds) =>
    windows.some((window) => window.set === set && window.seconds === seconds),
  );
  const rows = kinds.map((kind): Row => {
    const cells: Record<string, string> = {};
    for (const seconds of lengths) {
      const own = windows.filter((window) => window.set === set && window.seconds === seconds);
      const people = own.filter((window) => window.kind === "human");
      const machines = own.filter((window) => window.kind === kind);
      cells[`found${seconds}`] = shareText(machines);
      cells[`auc${seconds}`] =
        machines.length === 0
          ? "-"
          : aucOf(
              people.map(({ score }) => score),
              machines.map(({ score }) => score),
            ).toFixed(3);
    }
    return { name: kind, isOurs: true, cells };
  });
  const titles = Object.fromEntries(
    lengths.flatMap((seconds) => [
      [`found${seconds}`, `${seconds} s: found`],
      [`auc${seconds}`, "AUC"],
    ]),
  );
  return {
    id: `attacks-${set}`,
    title: `machines in the place of people of ${set}`,
    rowTitle: "attack",
    columns: columns(titles),
    rows,
  };
}

/** Of windows with a score in each range, the share of machines, when one session in ten is a machine's and every attack as frequent. */
function calibrationTable(windows: readonly Window[]): Table {
  const kinds = new Set(windows.map(({ kind }) => kind));
  const ranges = [0, 0.1, 0.5, 0.9, 1.01];
  const rows = WINDOWS_S.flatMap((seconds): Row[] => {
    const own = windows.filter((window) => window.seconds === seconds);
    const share = (kind: string, low: number, high: number): number => {
      const all = own.filter((window) => window.kind === kind);
      return all.length === 0 ? 0 : all.filter(({ score }) => score >= low && score < high).length / all.length;
    };
    const attacks = [...kinds].filter((kind) => kind !== "human" && kind !== "resampled");
    const cells: Record<string, string> = {};
    for (let at = 0; at < ranges.length - 1; at++) {
      const [low, high] = [ranges[at] as number, ranges[at + 1] as number];
      const human = 0.9 * share("human", low, high);
      const machine = (0.1 * attacks.reduce((sum, kind) => sum + share(kind, low, high), 0)) / attacks.length;
      cells[`r${at}`] = percent(machine / (machine + human));
    }
    return [{ name: `${seconds} s`, isOurs: true, cells }];
  });
  const titles = { r0: "score under 0.1", r1: "0.1 to 0.5", r2: "0.5 to 0.9", r3: "0.9 or more" };
  return {
    id: "calibration",
    title: "share of machines by score, where one session in ten is a machine's",
    rowTitle: "window",
    columns: columns(titles),
    rows,
  };
}

function rulesTable(windows: readonly Window[]): Table {
  const flagged = windows.filter(({ kind, score }) => kind === "human" && score >= FLAGGED);
  const counts = Map.groupBy(
    flagged.flatMap(({ rules, seconds }) => rules.map((rule) => `${seconds} s: ${rule}`)),
    (name) => name,
  );
  const rows = [...counts].map(([name, all]): Row => ({ name, isOurs: true, cells: { windows: String(all.length) } }));
  return {
    id: "rules",
    title: "what people were flagged for",
    rowTitle: "rule",
    columns: columns({ windows: "windows" }),
    rows,
  };
}

/** Runs it. Throws `RangeError` where the folder holds no recordings. */
export function hands(options: HandsOptions): Report {
  const { windows, sessions } = playAll(options);
  const accused = sessions.filter(({ verdicts }) => verdicts.length > 0);
  const people = new Set(windows.map(({ person }) => person)).size;
  const sets = [...new Set(windows.map(({ set }) => set))];
  const control = WINDOWS_S.flatMap((seconds) => {
    const of = (kind: string): number[] =>
      windows.filter((window) => window.kind === kind && window.seconds === seconds).map(({ score }) => score);
    const [human, again] = [of("human"), of("resampled")];
    return human.length === 0 || again.length === 0 ? [] : [`${seconds} s ${aucOf(human, again).toFixed(3)}`];
  });
  return {
    method: `${people} people; windows that do not overlap, with at least ten strokes; seeds ${options.seed} to ${options.seed + SEEDS - 1}; intervals: 95 % of a bootstrap over people.`,
    tables: [
      peopleTable(windows),
      ...sets.map((set) => attackTable(windows, set)),
      calibrationTable(windows),
      rulesTable(windows),
    ],
    promises: [],
    charts: [],
    contenders: [],
    notes: [
      `Whole recordings of people, scored every ${SCORE_EVERY} strokes as a server does: a verdict in ${accused.length} of ${sessions.length} (${sessions.reduce((sum, { moves }) => sum + moves, 0).toLocaleString("en")} strokes) ${accused.map(({ person, verdicts }) => `${person}: ${verdicts.join(", ")}`).join("; ")}`,
      `Control, people against the same people resampled, AUC: ${control.join(", ")}.`,
    ],
  };
}
