/** Makes a case of a verdict of a recording. */
import { type Protocol, ruleInfoOf, type WorldMaps } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import { LIBRARY_VERSION } from "../profile.ts";
import { type Decompress, openRecording, type Recording } from "../reading/read-recording.ts";
import { recordedMaps } from "../replay/recorded-maps.ts";
import { explainVerdict, type VerdictExplanation } from "../verdicts/explain-verdict.ts";
import { findVerdict, type RecordedVerdict } from "../verdicts/recorded-verdict.ts";
import { type StoryAnswer, storyOf } from "../verdicts/story.ts";
import type { FileMeans } from "../writing/file-means.ts";
import { sliceRecording } from "../writing/slice-recording.ts";
import {
  CASE_FORMAT,
  type CaseAction,
  type CaseFacts,
  type CaseParts,
  type CaseSignature,
  factsText,
  hexHashOf,
  MAX_CASE_BYTES,
  mapsText,
  writeCase,
} from "./case-file.ts";
import { hideNames } from "./hide-names.ts";
import { judgeRecording, limitsOfRule } from "./judge-case.ts";

export interface MakeCaseOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** The maps of the recorded world. */
  readonly maps?: WorldMaps | undefined;
  readonly decompress: Readonly<Record<string, Decompress>>;
  readonly means: FileMeans;
  /** The script of the page, by the name of the game. */
  readonly viewer: string;
  /** Whether others keep their names, chat and looks. Default: they have pseudonyms. */
  readonly others?: "pseudonyms" | "names";
  /** Seconds of play around the verdict, in milliseconds: 10,000 before and 3,000 after where they are not given, fewer where the file would be too large. */
  readonly beforeMs?: number;
  readonly afterMs?: number;
  /** Signs the facts. Default: the case is not signed. */
  readonly sign?: (facts: Uint8Array) => CaseSignature;
  /** What was done about the verdict. Default: not known. */
  readonly actions?: readonly CaseAction[] | undefined;
  /** Milliseconds since 1970. Default: now. */
  readonly madeMs?: number;
}

/** A case that was made. */
export interface MadeCase {
  readonly html: string;
  readonly facts: CaseFacts;
  readonly explanation: VerdictExplanation;
  /** What its reader should know: it has fewer seconds, or needs maps beside it. */
  readonly notes: readonly string[];
}

/** Pairs of seconds before and after that are tried, until the file is small enough. */
const WINDOWS: readonly (readonly [beforeMs: number, afterMs: number])[] = [
  [10_000, 3_000],
  [5_000, 2_000],
  [2_000, 1_000],
  [500, 500],
  [0, 100],
];
const NS_PER_MS = 1_000_000n;

/**
 * The verdict with the id as a file. Throws `RangeError` for an unknown id, for a recording that cannot be replayed, and for seconds that
 * are too large for a case.
 */
export async function makeCase(recording: Recording, id: string, options: MakeCaseOptions): Promise<MadeCase> {
  const { beforeMs, afterMs, protocols, maps } = options;
  const found = findVerdict(recording, id);
  const { account } = explainVerdict(recording, found, { protocols, maps, beforeMs: 0, afterMs: 0 });
  const isGiven = beforeMs !== undefined || afterMs !== undefined;
  const [[before, after]] = WINDOWS as readonly [readonly [number, number]];
  const windows = isGiven ? [[beforeMs ?? before, afterMs ?? after] as const] : WINDOWS;
  let tooLarge: RangeError | undefined;
  for (const [index, window] of windows.entries()) {
    const made = await caseOf(recording, { found, account }, { ...options, beforeMs: window[0], afterMs: window[1] });
    if (made instanceof RangeError) {
      tooLarge = made;
      continue;
    }
    const [fewerBefore, fewerAfter] = window;
    const seconds = `it has ${fewerBefore / 1000} s before and ${fewerAfter / 1000} s after the verdict: with more it would be over ${MAX_CASE_BYTES} bytes`;
    return index === 0 ? made : { ...made, notes: [...made.notes, seconds] };
  }
  throw tooLarge as RangeError;
}

type Windowed = MakeCaseOptions & Required<Pick<MakeCaseOptions, "beforeMs" | "afterMs">>;

/** The verdict in its recording, and the account that it is about. */
interface Judged {
  readonly found: RecordedVerdict;
  readonly account: string | undefined;
}

/** The case, or why it is too large. */
async function caseOf(
  recording: Recording,
  { found, account }: Judged,
  options: Windowed,
): Promise<MadeCase | RangeError> {
  const {
    protocols,
    maps,
    decompress,
    means,
    viewer,
    others = "pseudonyms",
    beforeMs,
    afterMs,
    sign,
    actions,
  } = options;
  const { id, verdict, timeNs } = found;
  const [fromNs, toNs] = [timeNs - BigInt(beforeMs) * NS_PER_MS, timeNs + BigInt(afterMs) * NS_PER_MS];
  const bytes =
    others === "names"
      ? await sliceRecording([recording], { fromNs, toNs, player: verdict.player, means })
      : await hideNames(recording, { protocols, maps, fromNs, toNs, account, means });
  const slice = openRecording(bytes, { decompress });
  // Numbered where several are equal: the first one of the slice may be the second of the file.
  const { id: ownId } = findVerdict(slice, found.id.split(".")[0] as string);
  const explanation = explainVerdict(slice, ownId, { protocols, maps, beforeMs, afterMs });
  const { world, replay } = explanation;
  const game = world === undefined ? undefined : protocols[world.protocol];
  if (world === undefined || game === undefined || replay.problem !== undefined || !replay.isReproduced) {
    const why = replay.problem ?? "its seconds, replayed by this build, do not give the verdict again";
    throw new RangeError(`Cannot make a case of ${id}: ${why}`);
  }
  const excerpt = excerptOf(slice, maps);
  const places = excerpt === undefined ? undefined : mapsText(excerpt);
  const { measured = null, allowed = null, unit = "" } = verdict;
  const info = ruleInfoOf(game, verdict.rule);
  const judged = {
    verdict: {
      id: ownId,
      kind: verdict.kind,
      rule: verdict.rule,
      reason: verdict.reason,
      measured,
      allowed,
      unit,
      epochMs: explanation.epochMs,
    },
    player: { number: verdict.player, name: explanation.name ?? "", account: explanation.account ?? "" },
  };
  const limits = limitsOfRule(game, verdict.rule, world.settings);
  const text = new TextEncoder();
  const facts: CaseFacts = {
    format: CASE_FORMAT,
    library: LIBRARY_VERSION,
    made: new Date(options.madeMs ?? Date.now()).toISOString(),
    game: game.name,
    title: game.title,
    dialect: world.dialect,
    room: verdict.room,
    ...judged,
    others,
    rule: { title: info?.title ?? verdict.rule, finds: info?.finds ?? "", answer: info?.answer ?? "" },
    limits,
    ...storyFacts(storyOf(explanation, { game, maps, actions })),
    beforeMs,
    afterMs,
    ...(actions === undefined ? {} : { actions }),
    digest: judgeRecording(slice, judged, { protocols, maps }).digest,
    parts: {
      recording: await hexHashOf(bytes),
      maps: places === undefined ? null : await hexHashOf(text.encode(places)),
      viewer: await hexHashOf(text.encode(viewer)),
    },
  };
  const own = await factsText(facts);
  const signature = sign?.(text.encode(own));
  const parts: CaseParts = { facts: own, recording: bytes, maps: places, viewer, signature };
  const needsMaps = recordedMaps(slice) !== undefined && places === undefined;
  try {
    return {
      html: await writeCase(parts),
      facts,
      explanation,
      notes: needsMaps ? ["the places of this game are not put into cases: who judges it again gives them"] : [],
    };
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** A story as facts have it: what is folded away stands elsewhere in the file. */
function storyFacts(story: readonly StoryAnswer[]): Pick<CaseFacts, "story" | "questions"> {
  const told = story.filter(({ lines }) => lines.length > 0);
  return {
    story: told.map(({ lines }) => lines.join("\n")),
    questions: told.map(({ question }) => question),
  };
}

/** The places that the world had used. */
function excerptOf(recording: Recording, maps: WorldMaps | undefined): JsonObject | undefined {
  const recorded = recordedMaps(recording);
  if (recorded === undefined) return undefined;
  return maps?.excerpt?.([...recorded.places.keys()]);
}
