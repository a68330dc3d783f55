/**
 * How often the score of a mouse accuses people, and how often it finds machines, on recordings of people in a folder that the user
 * names. People and machines go one way (`capture-path.ts`); machines play in the place of a person, with the rates and the screen of
 * that person. Halves are of people, never of windows.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createRandom } from "wirewalk/motion";
import { MouseKinematics, type MousePoint } from "wirewalk/osrs/mouse";
import { handCheats, mouseCheats } from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/bot.ts";
import {
  cutStrokes,
  type RecordedStroke,
  type TimedPoint,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/recorded-pointer.ts";
import { MAX_STRENGTH } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/kinematics.ts";
import { measureLimits, mouseLimitDefaults } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/limits.ts";
import {
  type PeopleModel,
  peoplePoint,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/world/people-likeness.ts";
import { strokeMeasures } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/stroke-measures.ts";
import type { Report, Row, Table } from "../report.ts";
import { eventRate, playBot, playPerson, playPositions, resampled, type Visit } from "./capture-path.ts";
import { costTable } from "./cost.ts";
import { distanceBy, distanceIn, fitPeople, fitTables, modelSource, type PersonWindow } from "./fit-people.ts";
import { findRecordings, type Recording } from "./people.ts";

export interface HandsOptions {
  /** The folder with recordings of people. */
  readonly data: string;
  /** A folder with recordings of machines in the same formats: programs that are no part of this project. */
  readonly machines?: string | undefined;
  /** A file with an attack that nobody here has seen: it exports `attack`, see {@link Attack}. */
  readonly attack?: string | undefined;
  /** Where the model of these people is written. */
  readonly writeModel?: string | undefined;
  /** A commit whose measures are timed beside today's. */
  readonly beside?: string | undefined;
  /** The first of three seeds of the machines: each place is played with one of them. */
  readonly seed: number;
  readonly quick: boolean;
}

/** What a file of `--attack` exports as `attack`: a program that moves a pointer. The same options give the same positions. */
export type Attack = (options: {
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** Strokes of the person in whose place it plays. */
  readonly strokes: readonly RecordedStroke[];
}) => readonly TimedPoint[];

const WINDOWS_S = [20, 60, 180, 600] as const;
/** Models are made of windows of this length. */
const MODEL_S = 60;
/** A score from here on is a finding. */
const FLAGGED = 0.5;
const SEEDS = 3;
/** One SapiMouse recording in so many lends its place to machines. */
const EVERY = 3;
/** Machines play as long as a recording of SapiMouse lasts, and in the place of Balabit's people for ten minutes. */
const BOT_MS: Readonly<Record<string, number>> = { sapimouse: 181_000, balabit: 601_000 };
const MIN_EVENTS = 100;
/** So many recordings of each person of Balabit lend their place to machines. */
const LENT = 1;
const UNSEEN = "left out until the end";

interface Window extends PersonWindow {
  readonly seconds: number;
  readonly set: string;
  /** `human`, `resampled`, a cheat, or the name of a machine's file. */
  readonly kind: string;
  readonly seed: number;
  /** By the rules that name a cause. */
  readonly byRules: number;
  /** With a model of the other half of the people. */
  score: number;
  readonly rules: string[];
}

type About = Pick<Window, "person" | "set" | "kind" | "seed">;

/** Scores of windows that do not overlap; those with too few strokes for any finding are left out. */
class WindowScores {
  readonly #windows: Window[];
  readonly #about: About;
  readonly #open = WINDOWS_S.map((seconds) => ({ seconds, number: 0, kinematics: rulesAlone() }));

  constructor(windows: Window[], about: About) {
    this.#windows = windows;
    this.#about = about;
  }

  push(point: MousePoint): void {
    for (const open of this.#open) {
      const number = Math.floor(point.atMs / (open.seconds * 1000));
      if (number !== open.number) {
        this.#close(open);
        open.number = number;
        open.kinematics = rulesAlone();
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
    if (kinematics.moves < mouseLimitDefaults.minStrokes) return;
    const { score, findings } = kinematics.score();
    const { hand } = kinematics;
    this.#windows.push({
      ...this.#about,
      seconds,
      byRules: score,
      score,
      rules: findings.map(({ rule }) => rule),
      point: peoplePoint(hand),
      strokes: hand.strokes,
      intervalMs: hand.intervalMs,
    });
  }
}

/** The model is of people that are tested here: it comes afterwards, from the other half. */
function rulesAlone(): MouseKinematics {
  return new MouseKinematics("client", mouseLimitDefaults, null);
}

/** A recording of a person from end to end, as a server sees it. */
interface Session {
  readonly person: string;
  readonly moves: number;
  /** Rules that gave a verdict at some time. */
  readonly verdicts: readonly string[];
}

const SCORE_EVERY = 5;

async function wholeSession({ person, play }: Recording, model: PeopleModel): Promise<Session> {
  const kinematics = new MouseKinematics("client", mouseLimitDefaults, model);
  const verdicts = new Set<string>();
  let scoredAt = 0;
  await play((point) => {
    kinematics.push(point);
    if (kinematics.moves < scoredAt + SCORE_EVERY) return;
    scoredAt = kinematics.moves;
    for (const { rule, strength } of kinematics.score().findings) if (strength >= FLAGGED) verdicts.add(rule);
  });
  return { person, moves: kinematics.moves, verdicts: [...verdicts] };
}

/** People with odd and with even numbers: each half is judged with a model of the other. Own recordings are judged with that of all. */
const halfOf = (person: string): number => Number(/user(\d+)$/.exec(person)?.[1] ?? Number.NaN) % 2;

/** Plays everything. */
async function playAll({ data, machines, attack, seed, quick }: HandsOptions): Promise<{
  readonly windows: readonly Window[];
  readonly recordings: readonly Recording[];
}> {
  const found = findRecordings(data);
  if (found.length === 0)
    throw new RangeError(`${data}: no recordings of people (docs/hands.md says how to name them)`);
  const unseen = attack === undefined ? undefined : ((await import(pathToFileURL(attack).href)) as { attack: Attack });
  const windows: Window[] = [];
  const recordings: Recording[] = [];
  const lent = new Map<string, number>();
  const run = async (about: About, play: (visit: Visit) => void | Promise<void>): Promise<void> => {
    const scores = new WindowScores(windows, about);
    let endMs = 0;
    await play((point) => {
      endMs = point.atMs;
      scores.push(point);
    });
    scores.end(endMs);
  };
  let number = 0;
  for (const recording of quick ? found.filter((_, at) => at % 20 === 0) : found) {
    const { person, set } = recording;
    const about = { person, set, seed: 0 };
    const points = recording.points?.();
    if (points === undefined) {
      recordings.push(recording);
      await run({ ...about, kind: "human" }, recording.play);
      continue;
    }
    if (points.length < MIN_EVENTS) continue;
    number += 1;
    recordings.push(recording);
    await run({ ...about, kind: "human" }, recording.play);
    await run({ ...about, kind: "resampled" }, (visit) => playPerson(resampled(points, number), visit));
    const places = lent.get(person) ?? 0;
    const lends = set === "balabit" ? places < LENT : number % EVERY === 0 && !recording.file.includes("1min");
    if (!lends) continue;
    lent.set(person, places + 1);
    const place = placeOf(points);
    const durationMs = BOT_MS[set] as number;
    // Each place with one of the seeds, in turn.
    const own = seed + (Math.floor(number / EVERY) % SEEDS);
    for (const [at, cheat] of [...mouseCheats, ...handCheats].entries()) {
      const random = createRandom(own * 1_000_003 + number * 101 + at);
      await run({ ...about, seed: own, kind: cheat }, (visit) =>
        playBot({ random, number: 0, cheat, ...place }, durationMs, visit),
      );
    }
    if (unseen === undefined) continue;
    const given = { ...place.window, seed: own * 1_000_003 + number, durationMs, strokes: place.strokes };
    await run({ ...about, seed: own, kind: UNSEEN }, (visit) =>
      playPositions(unseen.attack(given), place.eventsMs, visit),
    );
  }
  for (const recording of machines === undefined ? [] : findRecordings(machines)) {
    const { set, person } = recording;
    await run({ person, set, seed: 0, kind: "programs of others" }, recording.play);
  }
  return { windows, recordings };
}

/** Adds what a model of people finds to the score of each window. */
function addModel(windows: readonly Window[], modelOf: (person: string) => PeopleModel): void {
  const { allowed, full } = measureLimits("unlike-people", mouseLimitDefaults);
  for (const window of windows) {
    const distance =
      window.strokes < mouseLimitDefaults.minStrokes
        ? undefined
        : distanceBy(modelOf(window.person), window, () => true);
    if (distance === undefined) continue;
    const strength = MAX_STRENGTH * Math.min(Math.max((distance - allowed) / (full - allowed), 0), 1);
    window.score = 1 - (1 - window.byRules) * (1 - strength);
    if (strength > 0) window.rules.push("unlike-people");
  }
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

const flaggedShare = (windows: readonly Window[], scoreOf: ScoreOf): number =>
  windows.filter((window) => scoreOf(window) >= FLAGGED).length / windows.length;

const byPerson = (windows: readonly Window[]): readonly (readonly Window[])[] => [
  ...Map.groupBy(windows, ({ person }) => person).values(),
];

const percent = (share: number): string =>
  Number.isNaN(share) ? "-" : `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 2 : 1)} %`;

type ScoreOf = (window: Window) => number;
const withModel: ScoreOf = ({ score }) => score;
const byRules: ScoreOf = (window) => window.byRules;

/** A share with the interval of a bootstrap over people. */
function shareText(windows: readonly Window[], scoreOf: ScoreOf): string {
  if (windows.length === 0) return "-";
  const counted = byPerson(windows).map((own) => ({
    flagged: own.filter((window) => scoreOf(window) >= FLAGGED).length,
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
  return `${percent(flaggedShare(windows, scoreOf))} (${percent(low)} to ${percent(high)})`;
}

const isOdd = ({ person }: Window): boolean => halfOf(person) === 1;

const columns = (titles: Readonly<Record<string, string>>): Table["columns"] =>
  Object.entries(titles).map(([key, title]) => ({ key, title }));

const table = (
  id: string,
  title: string,
  rowTitle: string,
  titles: Readonly<Record<string, string>>,
  rows: readonly Row[],
): Table => ({
  id,
  title,
  rowTitle,
  columns: columns(titles),
  rows,
});

function peopleTable(windows: readonly Window[]): Table {
  const people = windows.filter(({ kind }) => kind === "human");
  const groups: readonly (readonly [string, (window: Window) => boolean])[] = [
    ["all people", () => true],
    ["people with odd numbers", isOdd],
    ["people with even numbers", (window) => halfOf(window.person) === 0],
    ...[...new Set(people.map(({ set }) => set))].map((name) => [name, ({ set }: Window) => set === name] as const),
  ];
  const rows = WINDOWS_S.flatMap((seconds): Row[] =>
    groups.flatMap(([name, of]) => {
      const own = people.filter((window) => window.seconds === seconds && of(window));
      if (own.length === 0) return [];
      const all = byPerson(own);
      const accused = all.filter((each) => each.some(({ score }) => score >= FLAGGED)).length;
      const cells = {
        windows: own.length.toLocaleString("en"),
        both: shareText(own, withModel),
        rules: shareText(own, byRules),
        people: `${accused} of ${all.length}`,
      };
      return [{ name: `${seconds} s, ${name}`, isOurs: true, cells }];
    }),
  );
  const titles = {
    windows: "windows",
    both: "flagged",
    rules: "by the rules that name a cause alone",
    people: "people with one flagged",
  };
  return table("people", "people: windows with a score of 0.5 or more", "window", titles, rows);
}

function scoresOf(windows: readonly Window[], seconds: number, scoreOf: ScoreOf): number[] {
  return windows.filter((window) => window.kind === "human" && window.seconds === seconds).map(scoreOf);
}

function attackTable(windows: readonly Window[], set: string): Table {
  const ofSet = windows.filter((window) => window.set === set);
  const kinds = [...new Set(ofSet.map(({ kind }) => kind))].filter((kind) => kind !== "human");
  const lengths = WINDOWS_S.filter((seconds) => ofSet.some((window) => window.seconds === seconds));
  const rows = kinds.map((kind): Row => {
    const cells: Record<string, string> = {};
    for (const seconds of lengths) {
      const all = ofSet.filter((window) => window.seconds === seconds && window.kind === kind);
      const text = (scoreOf: ScoreOf): string => {
        const auc = aucOf(scoresOf(ofSet, seconds, scoreOf), all.map(scoreOf));
        return all.length === 0 ? "-" : `${percent(flaggedShare(all, scoreOf))}, ${auc.toFixed(3)}`;
      };
      cells[`s${seconds}`] = text(withModel);
      cells[`r${seconds}`] = text(byRules);
    }
    return { name: kind, isOurs: true, cells };
  });
  const titles = Object.fromEntries(
    lengths.flatMap((seconds) => [
      [`s${seconds}`, `${seconds} s`],
      [`r${seconds}`, `${seconds} s, rules alone`],
    ]),
  );
  return table(`attacks-${set}`, `machines in the place of people of ${set}: found, AUC`, "attack", titles, rows);
}

/** What each seed and each half of the people finds, at the length that the promises are made for. */
function seedTable(windows: readonly Window[], seconds: number): Table {
  const own = windows.filter((window) => window.seconds === seconds && window.seed > 0);
  const seeds = [...new Set(own.map(({ seed }) => seed))];
  const rows = [...new Set(own.map(({ kind }) => kind))].map((kind): Row => {
    const all = own.filter((window) => window.kind === kind && window.set === "sapimouse");
    const cells: Record<string, string> = { n: String(all.length) };
    for (const seed of seeds)
      cells[`s${seed}`] = percent(
        flaggedShare(
          all.filter((window) => window.seed === seed),
          withModel,
        ),
      );
    cells.odd = percent(flaggedShare(all.filter(isOdd), withModel));
    cells.even = percent(
      flaggedShare(
        all.filter((window) => !isOdd(window)),
        withModel,
      ),
    );
    cells.both = shareText(all, withModel);
    return { name: kind, isOurs: true, cells };
  });
  const titles = {
    n: "windows",
    ...Object.fromEntries(seeds.map((seed) => [`s${seed}`, `seed ${seed}`])),
    odd: "odd numbers",
    even: "even numbers",
    both: "all, 95 % by people",
  };
  return table(
    `seeds-${seconds}`,
    `machines in the place of people of sapimouse, ${seconds} s: found`,
    "attack",
    titles,
    rows,
  );
}

/** Of windows with a score in each range, the share of machines, when one session in ten is a machine's and every attack as frequent. */
function calibrationTable(windows: readonly Window[]): Table {
  const ranges = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01];
  const lengths = WINDOWS_S.filter((seconds) => windows.some((window) => window.seconds === seconds));
  const halves: readonly (readonly [string, (window: Window) => boolean])[] = [
    ["all people", () => true],
    ["people with odd numbers", isOdd],
    ["people with even numbers", (window) => !isOdd(window)],
  ];
  const rows = lengths.flatMap((seconds) =>
    halves.map(([name, of]): Row => {
      const kinds = Map.groupBy(
        windows.filter((window) => window.seconds === seconds && of(window)),
        ({ kind }) => kind,
      );
      const share = (kind: string, low: number, high: number): number => {
        const all = kinds.get(kind) ?? [];
        return all.length === 0 ? 0 : all.filter(({ score }) => score >= low && score < high).length / all.length;
      };
      const attacks = [...kinds.keys()].filter((kind) => kind !== "human" && kind !== "resampled");
      const cells: Record<string, string> = {};
      for (let at = 0; at < ranges.length - 1; at++) {
        const [low, high] = [ranges[at] as number, ranges[at + 1] as number];
        const human = 0.9 * share("human", low, high);
        const machine = (0.1 * attacks.reduce((sum, kind) => sum + share(kind, low, high), 0)) / attacks.length;
        const count = (kinds.get("human") ?? []).filter(({ score }) => score >= low && score < high).length;
        cells[`r${at}`] = `${percent(machine / (machine + human))} (${count})`;
      }
      return { name: `${seconds} s, ${name}`, isOurs: true, cells };
    }),
  );
  const titles = Object.fromEntries(
    ranges.slice(0, -1).map((low, at) => [`r${at}`, at === 5 ? "score 0.9 or more" : `${low} to ${ranges[at + 1]}`]),
  );
  const title = "share of machines by score, where one session in ten is a machine's (windows of people beside it)";
  return table("calibration", title, "window", titles, rows);
}

/** Made from one set of people, tested on another, by all measures and by those that need no times. */
function otherSetTable(windows: readonly Window[], seconds: number): Table {
  const sets = [...new Set(windows.filter(({ kind }) => kind === "human").map(({ set }) => set))];
  const { allowed, full } = measureLimits("unlike-people", mouseLimitDefaults);
  const limit = allowed + ((full - allowed) * FLAGGED) / MAX_STRENGTH;
  const rows = sets.flatMap((from) =>
    sets.flatMap((to): Row[] => {
      const training = windows.filter(
        ({ kind, set, seconds: own }) => kind === "human" && set === from && own === MODEL_S,
      );
      const tables = from === to ? undefined : fitTables(training);
      if (tables === undefined) return [];
      return [false, true].map((isClockFree) => {
        const cells: Record<string, string> = {};
        const tested = windows.filter((window) => window.set === to && window.seconds === seconds);
        const distances = Map.groupBy(
          tested.map((window) => ({
            kind: window.kind,
            distance: distanceIn(tables, window, (measure) => !isClockFree || measure.isClockFree),
          })),
          ({ kind }) => kind,
        );
        const of = (kind: string): number[] => (distances.get(kind) ?? []).map(({ distance }) => distance);
        const human = of("human");
        cells.people = `${percent(human.filter((distance) => distance >= limit).length / human.length)} of ${human.length}`;
        for (const kind of ["resampled", "linear", "bezier", "windmouse", "minimum-jerk", "fitted"]) {
          const all = of(kind);
          cells[kind] = all.length === 0 ? "-" : aucOf(human, all).toFixed(3);
        }
        return { name: `${from}, on ${to}${isClockFree ? ", without times" : ""}`, isOurs: true, cells };
      });
    }),
  );
  const kinds = ["resampled", "linear", "bezier", "windmouse", "minimum-jerk", "fitted"];
  const titles = { people: "people flagged", ...Object.fromEntries(kinds.map((kind) => [kind, `${kind}, AUC`])) };
  return table(
    "other-set",
    `\`unlike-people\` alone, made from one set of people and tested on another, ${seconds} s`,
    "model",
    titles,
    rows,
  );
}

function rulesTable(windows: readonly Window[]): Table {
  const flagged = windows.filter(({ kind, score }) => kind === "human" && score >= FLAGGED);
  const counts = Map.groupBy(
    flagged.flatMap(({ rules, seconds }) => rules.map((rule) => `${seconds} s: ${rule}`)),
    (name) => name,
  );
  const rows = [...counts].map(([name, all]): Row => ({ name, isOurs: true, cells: { windows: String(all.length) } }));
  return table("rules", "what people were flagged for", "rule", { windows: "windows" }, rows);
}

/** Where 98 % of the windows of people are: the mean and the spread of each measure over the strokes. */
function rangesTable(windows: readonly Window[]): Table {
  const people = windows.filter(
    ({ kind, seconds, strokes }) => kind === "human" && seconds === MODEL_S && strokes >= mouseLimitDefaults.minStrokes,
  );
  const count = strokeMeasures.length;
  const text = (at: number): string => {
    const values = people.map(({ point }) => point[at] as number).sort((a, b) => a - b);
    const of = (share: number): string => (values[Math.floor(share * (values.length - 1))] ?? Number.NaN).toFixed(2);
    return `${of(0.01)} to ${of(0.99)}, middle ${of(0.5)}`;
  };
  const rows = strokeMeasures.map(
    ({ name }, at): Row => ({ name, isOurs: true, cells: { mean: text(at), spread: text(at + count) } }),
  );
  return table(
    "ranges",
    "people in windows of 60 s: from the lowest to the highest hundredth",
    "measure",
    { mean: "mean", spread: "spread (ln)" },
    rows,
  );
}

/** Runs it. Throws `RangeError` where the folder holds no recordings. */
export async function hands(options: HandsOptions): Promise<Report> {
  const { windows, recordings } = await playAll(options);
  const training = windows.filter(
    ({ kind, seconds, strokes }) => kind === "human" && seconds === MODEL_S && strokes >= mouseLimitDefaults.minStrokes,
  );
  const sets = [...new Set(windows.filter(({ kind }) => kind === "human").map(({ set }) => set))];
  const madeOf = (own: readonly Window[]): string => {
    const people = new Set(own.map(({ person }) => person)).size;
    const folder = "npm run bench -- hands --data DIR --write-model FILE";
    return `${people} people of ${sets.join(" and ")}, ${own.length} windows of ${MODEL_S} s; no seed: nothing is drawn; ${folder}`;
  };
  const model = (of: (window: Window) => boolean): PeopleModel =>
    fitPeople(training.filter(of), madeOf(training.filter(of)));
  const all = model(() => true);
  const otherHalf = [model((window) => halfOf(window.person) === 1), model((window) => halfOf(window.person) === 0)];
  const modelOf = (person: string): PeopleModel => otherHalf[halfOf(person)] ?? all;
  addModel(windows, modelOf);
  if (options.writeModel !== undefined) writeFileSync(options.writeModel, modelSource(all));
  const sessions: Session[] = [];
  for (const recording of recordings) sessions.push(await wholeSession(recording, modelOf(recording.person)));
  const accused = sessions.filter(({ verdicts }) => verdicts.length > 0);
  const people = new Set(training.map(({ person }) => person)).size;
  const control = WINDOWS_S.flatMap((seconds) => {
    const of = (kind: string, scoreOf: ScoreOf): number[] =>
      windows.filter((window) => window.kind === kind && window.seconds === seconds).map(scoreOf);
    const far: ScoreOf = (window) => distanceBy(modelOf(window.person), window, () => true) ?? 0;
    const auc = (scoreOf: ScoreOf): string => aucOf(of("human", scoreOf), of("resampled", scoreOf)).toFixed(3);
    return of("resampled", byRules).length === 0 ? [] : [`${seconds} s ${auc(withModel)} (distance alone ${auc(far)})`];
  });
  const places = sets.filter((set) => windows.some((window) => window.set === set && window.kind !== "human"));
  return {
    method: `${people} people; windows that do not overlap, with at least ten strokes; seeds ${options.seed} to ${options.seed + SEEDS - 1}; each half of the people is judged with a model of the other; intervals: 95 % of a bootstrap over people.`,
    tables: [
      peopleTable(windows),
      ...places.map((set) => attackTable(windows, set)),
      ...[60, 180].map((seconds) => seedTable(windows, seconds)),
      calibrationTable(windows),
      otherSetTable(windows, MODEL_S),
      rangesTable(windows),
      rulesTable(windows),
      await costTable(recordings, options.beside),
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
