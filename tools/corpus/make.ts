/** Makes the recordings of the corpus, and the table of what rules find in them. */
import type { Expectation, ExpectationResult, Expectations } from "@wirewalk/recording";
import { recordHost } from "@wirewalk/recording/node";
import { MemorySink } from "../../packages/recording/src/testing/record-play.ts";
import type { Verdict } from "../../packages/wirewalk/src/motion/index.ts";
import { simulate, simulateInSteps } from "../../packages/wirewalk/src/testing/simulation.ts";
import { type CorpusPlay, simulationOf } from "./plays.ts";

/** 2026-01-01. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
/** A cheat is recorded so long after it is found. */
const AFTER_SECONDS = 1;
/** Longer than any play: a recording has one key frame at its beginning and one at its end, and one chunk between. */
const NEVER_MS = 3_600_000;
const STEP_MS = 5_000;

export interface MadeRecording {
  readonly play: CorpusPlay;
  readonly bytes: Uint8Array;
  readonly expectations: Expectations;
}

/** Undefined for a flood in which a game's rules find nothing: its messages have no effect. */
export async function makeRecording(play: CorpusPlay, seed: number): Promise<MadeRecording | undefined> {
  const isHonest = play.cheat === "none";
  const first = isHonest ? undefined : firstFinding(play, seed);
  if (!isHonest && first === undefined) return undefined;
  const seconds = first === undefined ? play.seconds : Math.min(play.seconds, first.atMs / 1000 + AFTER_SECONDS);
  const sink = new MemorySink();
  const simulation = simulationOf(play, seed, seconds);
  const { protocol, world } = simulation;
  const never = { keyFrameMs: NEVER_MS, chunkMs: NEVER_MS, rotateMs: NEVER_MS, tracksMs: 0 } as const;
  let recording: ReturnType<typeof recordHost> | undefined;
  const recorded = {
    ...simulation,
    onHost: (host: Parameters<NonNullable<typeof simulation.onHost>>[0]) => {
      recording = recordHost({ host, protocol, world, sink, nowMs: 0, epochNow: () => EPOCH_MS, ...never });
    },
  };
  await simulateInSteps(recorded, { stepMs: STEP_MS, between: async () => recording?.settled() });
  await recording?.close();
  const expectations: Expectation[] =
    first === undefined
      ? [{ expect: "must-not-flag" }]
      : [
          { expect: "must-flag", rule: first.rule, player: "cheat", toSeconds: play.seconds },
          ...(simulation.bots.length === 1 ? [] : [{ expect: "must-not-flag", player: "honest" } as const]),
        ];
  return {
    play,
    bytes: sink.bytes(),
    expectations: { play: play.cheat === "none" ? play.network : play.cheat, expectations },
  };
}

/** The first verdict above benign about the cheating player. */
function firstFinding(play: CorpusPlay, seed: number): Verdict | undefined {
  const { verdicts, numbers } = simulate(simulationOf(play, seed, play.seconds));
  return verdicts.find(({ kind, player }) => kind !== "accept" && kind !== "benign" && numbers.get(player) === 0);
}

/** A recording of the corpus as it was checked. */
export interface CheckedRecording {
  readonly game: string;
  readonly play: string;
  readonly isHonest: boolean;
  readonly results: readonly ExpectationResult[];
}

/** Rule x cheat x seconds to the first flag x false flags, in Markdown. */
export function corpusTable(checked: readonly CheckedRecording[]): string {
  const rows = checked
    .filter(({ isHonest }) => !isHonest)
    .flatMap(({ game, play, results }) =>
      results
        .filter(({ expect }) => expect === "must-flag")
        .map(({ rule = "", firstSeconds, found }) => {
          const seconds = firstSeconds === undefined ? "never" : firstSeconds.toFixed(1);
          return `| ${game} | ${rule} | \`${play}\` | ${seconds} | ${found} | ${falseFlags(checked, game)} |`;
        }),
    );
  return [
    "| game | rule | cheat | first flag, s | flags | false flags |",
    "| --- | --- | --- | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

/** Verdicts above benign about honest players of a game, whatever the rule. */
function falseFlags(checked: readonly CheckedRecording[], game: string): number {
  const results = checked.filter((each) => each.game === game).flatMap((each) => each.results);
  return results.filter(({ expect }) => expect === "must-not-flag").reduce((sum, { found }) => sum + found, 0);
}
