/**
 * A verdict in sentences, for people who do not know the rules: what the player did, what was done about it, what its owner can do now, the sum
 * that a reader can do again, how sure it is, and what honest causes there could have been. All rules of all games have this form.
 */
import type { Position } from "wirewalk/motion";
import {
  type Calculation,
  calculated,
  calculationLines,
  figure,
  type HonestCause,
  isLeast,
  isNameUnit,
  MapError,
  type Protocol,
  quantityText,
  type RuleInfo,
  reasonText,
  ruleInfoOf,
  unitWords,
  type WorldMaps,
} from "wirewalk/protocol";
import type { CaseAction, CaseLimit } from "../cases/case-file.ts";
import { limitsOfRule } from "../cases/judge-case.ts";
import { type AdviceKind, adviceOf, CLEAR_SHARE, excessShare, sentInSecond, timesOf, titleOf } from "./advice.ts";
import type { VerdictExplanation } from "./explain-verdict.ts";
import { BURST_MESSAGES, BURST_MS, lineTimes, STALL_MS, STALL_SHARE } from "./line-times.ts";

/** What a part of a story answers. */
export type StoryPart = "did" | "done" | "next" | "sum" | "certainty" | "causes" | "limits" | "proof";

/** Sentences that answer one question. */
export interface StoryAnswer {
  readonly part: StoryPart;
  /** For a heading; empty for the first part, which needs none. */
  readonly question: string;
  readonly lines: readonly string[];
  /** What most readers do not need: folded away. */
  readonly more?: readonly string[];
  /** Of `next`: what is advised. */
  readonly advice?: AdviceKind;
}

const questions: Readonly<Record<StoryPart, string>> = {
  did: "",
  done: "What the server did",
  next: "What you can do now",
  sum: "How the number comes about",
  certainty: "How sure it is",
  causes: "Honest causes that there could have been",
  limits: "Limits that made this number",
  proof: "What the recording proves",
};

export interface StorySetup {
  readonly game: Protocol;
  /** The maps of the world; undefined where it has none. */
  readonly maps?: WorldMaps | undefined;
  /** What people did about it. Default: not known. */
  readonly actions?: readonly CaseAction[] | undefined;
}

/** Rules that are named one by one. */
const MAX_NAMED = 4;
/** Of a number that exceeds its limit by this share, how many times it is says more than by how much. */
const TIMES_SHARE = 1.95;

/** The answers in their order, never empty. */
export function storyOf(
  explanation: VerdictExplanation,
  { game, maps, actions = [] }: StorySetup,
): readonly StoryAnswer[] {
  const { kind, rule, world, measure } = explanation;
  const info = ruleInfoOf(game, rule);
  const line = lineTimes(explanation);
  const sums = sumsThatComeOut(explanation);
  const limits = limitsOf(limitsOfRule(game, rule, world?.settings ?? {}), sums, measure?.allowed);
  const { kind: advice, text } = adviceOf(explanation, { info, hasStalled: line?.stall !== undefined });
  const answers: readonly Omit<StoryAnswer, "question">[] = [
    { part: "did", lines: [didSentence(explanation, info), whereSentence(explanation, game)] },
    { part: "done", lines: [doneSentence(explanation, info), ...actions.map(actionSentence)] },
    { part: "next", lines: [text], advice },
    { part: "sum", lines: sumLines(explanation, sums, info) },
    { part: "certainty", lines: certaintyLines(explanation, game) },
    { part: "causes", lines: kind === "benign" ? [] : causeLines(explanation, { info, maps }) },
    { part: "limits", ...limits },
    { part: "proof", lines: [proofSentence(explanation)] },
  ];
  return answers
    .filter(({ lines, more = [] }) => lines.length + more.length > 0)
    .map((answer) => ({ ...answer, question: questions[answer.part] }));
}

// --- What the player did -------------------------------------------------------------------------------------------------------

function nameOf({ name, player }: VerdictExplanation): string {
  return name === undefined || name === "" ? `Player ${player}` : name;
}

function didSentence(explanation: VerdictExplanation, info: RuleInfo | undefined): string {
  const { claimed, measure, did = info?.did } = explanation;
  const judged = claimed.find(({ isJudged }) => isJudged);
  const { measured, allowed, unit = "", over } = measure ?? {};
  const figures: Readonly<Record<string, string | undefined>> = {
    measured: measured === undefined ? undefined : quantityText(measured, unit, allowed),
    allowed: allowed === undefined ? undefined : quantityText(allowed, unit, measured),
    over: over === undefined ? undefined : quantityText(over, unit),
    way: measured === undefined ? undefined : wayText(explanation, quantityText(measured, unit)),
    mover: moverText(judged?.mover),
    to: judged?.room ?? "another",
  };
  let isWhole = did !== undefined;
  const text = did?.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = figures[name];
    if (value === undefined) isWhole = false;
    return value ?? "";
  });
  return isWhole && text !== undefined
    ? `${nameOf(explanation)} ${text}.`
    : `${nameOf(explanation)}: ${reasonText(explanation.reason)}`;
}

function moverText(mover: string | undefined): string {
  const [, kind, number] = /^(\w+) (\d+)$/.exec(mover ?? "") ?? [];
  if (kind !== undefined) return `a ${kind} (number ${number})`;
  return mover === undefined ? "it" : `its ${mover}`;
}

/** `29,633 px left of`: a distance with its side, before the place that it is measured from. */
function wayText({ from, at, isYDown }: VerdictExplanation, px: string): string {
  if (from === undefined || at === undefined) return `${px} away from`;
  const [dx, dy] = [at.x - from.x, at.y - from.y];
  if (Math.abs(dx) >= Math.abs(dy)) return `${px} ${dx < 0 ? "left" : "right"} of`;
  return `${px} ${dy < 0 === isYDown ? "above" : "below"}`;
}

/** When and where, as the lists of the page say it. */
function whereSentence({ seconds, epochMs, room, message }: VerdictExplanation, { title }: Protocol): string {
  const what = message.bytes.length === 0 ? "No message was judged, but the time that passed: at" : "At";
  const ms = Math.floor(seconds * 1_000 + ROUNDING);
  const minutes = Math.floor(ms / 60_000);
  const rest = ((ms % 60_000) / 1_000).toFixed(3).padStart(6, "0");
  return `${what} ${minutes}:${rest} of the recording, in room ${room} of ${title} (${dateAndTime(epochMs)}).`;
}

// --- What was done -------------------------------------------------------------------------------------------------------------

function doneSentence({ kind, world }: VerdictExplanation, info: RuleInfo | undefined): string {
  const remedy = info?.remedy === undefined ? "" : ` ${info.remedy}`;
  switch (kind) {
    case "flag": {
      if (world?.enforcement === "log")
        return "It was noted, and nothing else: this server only logs. Other players saw it.";
      const hint =
        info?.weight === "hint" ? " This rule never stops a message by itself: what it finds is a reason to look." : "";
      return `It was noted for you, and nothing was stopped${remedy === "" ? ": other players saw it." : "."}${remedy}${hint}`;
    }
    case "correct":
      return `The server did not believe it: other players did not see it, and the player was put back. It gained nothing by it.${remedy}`;
    case "reject":
      return `The message was refused: other players did not see it, and nothing changed.${remedy}`;
    default:
      return "Nothing: it was found to have an honest cause.";
  }
}

const ACTIONS: Readonly<Record<string, string>> = {
  dismiss: "said that the verdict was false",
  warn: "warned the player",
  kick: "disconnected the player",
  ban: "banned the player",
  lift: "lifted the ban",
};

function actionSentence({ action, atMs, reason, untilMs }: CaseAction): string {
  const until = untilMs === null ? "" : ` until ${dateAndTime(untilMs)}`;
  const told = reason === "" ? "" : ` The player was told: “${reason}”.`;
  return `On ${dateAndTime(atMs)} an operator ${ACTIONS[action] ?? `did “${action}”`}${until}.${told}`;
}

// --- The sum -------------------------------------------------------------------------------------------------------------------

/** Of what a game says, the sums that give the figures of the verdict: no other number is shown. */
function sumsThatComeOut({ sums, measure }: VerdictExplanation): readonly Calculation[] {
  return sums.filter(({ gives, lines }) => {
    const figureOf = measure?.[gives];
    return lines.length > 0 && figureOf !== undefined && isNear(calculated({ lines }), figureOf);
  });
}

const ROUNDING = 1e-3;

function isNear(value: number, other: number): boolean {
  return Math.abs(value - other) <= ROUNDING * Math.max(1, Math.abs(other));
}

function sumLines(
  explanation: VerdictExplanation,
  sums: readonly Calculation[],
  info: RuleInfo | undefined,
): readonly string[] {
  const { measure, unit } = explanation;
  if (measure === undefined) return ["There is no number to it: what was sent, or when, is the finding itself."];
  const { measured, allowed, unit: of } = measure;
  if (of === "mobId") return [`It is about the monster with the number ${measured}.`];
  if (isNameUnit(of)) return [];
  const places = placeLines(explanation);
  const lines = sums.flatMap(({ lines: shown, note }) => [
    ...calculationLines(shown),
    ...(note === undefined ? [] : [note]),
  ]);
  const has = (gives: Calculation["gives"]): boolean => sums.some((sum) => sum.gives === gives);
  const what = info?.figure === undefined ? "Measured" : `Measured (${info.figure})`;
  const own = has("measured") ? [] : [`${what}: ${quantityText(measured, of, allowed)}.`];
  if (allowed === undefined) return [...places, ...lines, ...own];
  const limit = quantityText(allowed, of, measured);
  if (isLeast(of))
    return [...places, ...lines, ...own, `People have at least ${limit}. So little is too even, as a program's is.`];
  const most =
    allowed === 0
      ? "Nothing of it is allowed."
      : of === unit && has("allowed")
        ? ""
        : `Up to ${limit} the rule finds nothing.`;
  return [...places, ...lines, ...own, ...(most === "" ? [] : [most]), ...overLines(measure)];
}

/** The two places that a distance was measured between. */
function placeLines({ from, at, measure, unit }: VerdictExplanation): readonly string[] {
  if (from === undefined || at === undefined || unit === undefined || measure?.unit !== unit) return [];
  return [`It was at ${placeText(from)}, and the message says ${placeText(at)} (in ${unit}).`];
}

/** By how much it is over the limit: of two shares the difference would be read as a share of one. */
function overLines({ measured, allowed, unit, share }: NonNullable<VerdictExplanation["measure"]>): readonly string[] {
  if (allowed === undefined || allowed <= 0 || /^(share|of all|s\/s|sd|1\/256 turn)$/.test(unit)) return [];
  if (measured <= allowed) return ["The player has used all of that."];
  // As the two are shown: a reader gets the same difference.
  const [more, less] = [quantityText(measured, unit, allowed), quantityText(allowed, unit, measured)];
  const [shown, limit, of] = [numberIn(more), numberIn(less), more.slice(more.indexOf(" "))];
  if (shown === undefined || limit === undefined || !less.endsWith(of)) return [];
  const digits = Math.max(...[more, less].map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0));
  const over = (shown - limit).toLocaleString("en-US", { maximumFractionDigits: digits });
  const words = over === "1" && of.trim() === unitWords(unit) ? ` ${unitWords(unit, true)}` : of;
  const about =
    share === undefined || share < TIMES_SHARE
      ? ""
      : ` ${numberText(more)} is about ${figure(roughly(share))} times the limit.`;
  return [`Over the limit: ${numberText(more)} - ${numberText(less)} = ${over}${words}.${about}`];
}

function numberText(text: string): string {
  return text.slice(0, text.indexOf(" "));
}

function numberIn(text: string): number | undefined {
  const value = Number(numberText(text).replaceAll(",", ""));
  return Number.isFinite(value) ? value : undefined;
}

function roughly(share: number): number {
  return share < 100 ? Number(share.toPrecision(2)) : Math.round(share);
}

// --- How sure it is ------------------------------------------------------------------------------------------------------------

function certaintyLines(explanation: VerdictExplanation, game: Protocol): readonly string[] {
  const { kind, near, rule, window, replay } = explanation;
  const times = timesOf(explanation);
  const seconds = figure(Math.round((window.toMs - window.fromMs) / 1_000));
  const often = times === 1 ? [] : [`The rule found the same ${times} times in these ${seconds} s, this one included.`];
  if (kind === "benign") return ["Honest clients do this too: it is no sign of a cheat.", ...often];
  const share = excessShare(explanation);
  const much =
    share === undefined || share <= 1
      ? []
      : share >= CLEAR_SHARE
        ? ["It is far over the limit, so rounding and small delays do not explain it."]
        : ["It is only just over the limit: one such message can be chance."];
  const sent = sentInSecond(explanation);
  const counted =
    sent === undefined
      ? []
      : [
          `Refused messages do not count, so the number is never more than one over the limit. With them it sent ${sent} in that second.`,
        ];
  const once = times > 1 ? [] : [`The rule found it once in these ${seconds} s.`];
  return [
    ...counted,
    ...much,
    ...often,
    ...once,
    ...otherLines(near, rule, game),
    ...(replay.isReproduced ? [] : [unproven]),
  ];
}

const unproven = "The same seconds, judged again, do not give this verdict: do not rely on it.";

function otherLines(near: VerdictExplanation["near"], rule: string, game: Protocol): readonly string[] {
  const honest = near.filter(({ kind }) => kind === "benign").length;
  const counts = new Map<string, number>();
  for (const { rule: of, kind } of near)
    if (kind !== "benign" && of !== rule) counts.set(of, (counts.get(of) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_NAMED).map(([of, count]) => {
    return `“${titleOf(game, of)}”${count === 1 ? "" : ` ${count} times`}`;
  });
  const more = counts.size > MAX_NAMED ? ` and ${counts.size - MAX_NAMED} more rules` : "";
  return [
    named.length === 0
      ? "No other rule found anything about this player in these seconds."
      : `Other rules found in these seconds: ${named.join(", ")}${more}.`,
    ...(honest === 0
      ? []
      : [
          `${honest === 1 ? "One more message" : `${honest} more messages`} looked odd and had an honest cause. ${honest === 1 ? "It is" : "They are"} not counted here.`,
        ]),
  ];
}

function proofSentence({ replay: { isReproduced, problem } }: VerdictExplanation): string {
  if (problem !== undefined) return `Nothing: it cannot be judged again, since ${problem}.`;
  return isReproduced
    ? "The recording is whole: its seconds, judged again by the same rules, give the same verdict. So nothing was left out or changed. That does not prove that the rule is right."
    : unproven;
}

// --- Honest causes -------------------------------------------------------------------------------------------------------------

const usualCauses: readonly HonestCause[] = ["pause", "burst", "map"];

/** Each with what was measured, and from where on it would count. */
function causeLines(
  explanation: VerdictExplanation,
  { info, maps }: { readonly info: RuleInfo | undefined; readonly maps: WorldMaps | undefined },
): readonly string[] {
  const allows = info?.allows === undefined ? [] : [`The rule has already allowed for this: ${info.allows}.`];
  const causes = info === undefined ? usualCauses : (info.causes ?? []);
  const lines = causes.flatMap((cause) => {
    if (typeof cause === "object") return [cause.words];
    if (cause === "map") return mapLines(explanation, maps);
    return cause === "pause" ? pauseLines(explanation) : burstLines(explanation);
  });
  return [...allows, ...lines];
}

function pauseLines(explanation: VerdictExplanation): readonly string[] {
  const line = lineTimes(explanation);
  if (line === undefined) return ["A connection that hangs: too few messages came before it to tell."];
  const { stall, longestMs, usualMs } = line;
  if (stall !== undefined) {
    const until = stall.endMs === 0 ? "this message" : `${duration(-stall.endMs)} before it`;
    return [
      `The connection may have hung: nothing came for ${duration(stall.pauseMs)}, until ${until}. What the rule grants for that is counted already.`,
    ];
  }
  const from = duration(Math.max(STALL_MS, STALL_SHARE * usualMs));
  return [
    `A connection that hangs: no. The longest pause before it was ${duration(longestMs)}, and the usual one ${duration(usualMs)}. It would count from ${from} on.`,
  ];
}

function burstLines(explanation: VerdictExplanation): readonly string[] {
  const { burst = 0 } = lineTimes(explanation) ?? {};
  const came = `${burst} message${burst === 1 ? "" : "s"} came within ${BURST_MS} ms`;
  return burst > BURST_MESSAGES
    ? [
        `Late messages that came at once: ${came}, as after a pause of the connection, or from a program that saves them up.`,
      ]
    : [`Late messages that came at once: no. ${came}. They would count from ${BURST_MESSAGES + 1} on.`];
}

function mapLines({ world, room }: VerdictExplanation, maps: WorldMaps | undefined): readonly string[] {
  if (world === undefined) return [];
  return [
    hasMap(maps, room) || world.demo
      ? "A map that the server does not have: no, it has one of this room. If players see another one, compare the two."
      : "A map that the server does not have: it has none of this room. So walls and floors did not count, and what a map may add was granted.",
  ];
}

function hasMap(maps: WorldMaps | undefined, room: string): boolean {
  try {
    return maps?.parts?.(room) !== undefined;
  } catch (error) {
    // A map that cannot be read is as none.
    if (error instanceof MapError) return false;
    throw error;
  }
}

// --- Limits --------------------------------------------------------------------------------------------------------------------

/** Those that the number is made of, and those that an owner chose; the others are folded away. */
function limitsOf(
  limits: readonly CaseLimit[],
  sums: readonly Calculation[],
  allowed: number | undefined,
): Pick<StoryAnswer, "lines" | "more"> {
  if (limits.length === 0) return { lines: [], more: ["This rule has no limit that can be set."] };
  const used = new Set(sums.flatMap((sum) => sum.limits ?? []));
  const isUsed = ({ name, value, own, unit }: CaseLimit): boolean =>
    used.has(name) || value === allowed || (unit === "s/s" && 1 + value === allowed) || value !== own;
  const chosen = limits.filter(({ value, own }) => value !== own).length;
  const whose =
    chosen === 0
      ? "These are the default settings: nobody has changed them."
      : `${chosen === 1 ? "One of them is" : `${chosen} of them are`} not the game's own: the owner of the server has changed ${chosen === 1 ? "it" : "them"}.`;
  const shown = limits.filter(isUsed).map(limitText);
  const others = limits.filter((limit) => !isUsed(limit)).map(limitText);
  return { lines: shown.length === 0 ? [] : [...shown, whose], more: shown.length === 0 ? [...others, whose] : others };
}

function limitText({ summary, value, own, unit }: CaseLimit): string {
  const changed = value === own ? "" : ` (${quantityText(own, unit, value)} in the game)`;
  return `${summary.replaceAll("`", "")}: ${quantityText(value, unit, own)}${changed}.`;
}

// --- Words ---------------------------------------------------------------------------------------------------------------------

/** A place as stories and tables write it: `x 36,123, y 420`. */
export function placeText({ x, y, z, level }: Position): string {
  const numbers = Object.entries({ x, y, z }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${figure(value)}`],
  );
  return `${numbers.join(", ")}${level === undefined ? "" : `, level ${level}`}`;
}

/** Milliseconds since 1970 as a date and a time of day. */
function dateAndTime(epochMs: number): string {
  const text = new Date(epochMs).toISOString();
  return `${text.slice(0, 10)} at ${text.slice(11, 19)} UTC`;
}

/** Milliseconds for people. */
function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${figure(ms / 1_000)} s`;
}
