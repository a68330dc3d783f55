/** A verdict in sentences, for people who do not know the rules: what was claimed, what was possible, by which limit, how sure that is, what else could have been, and what was done. */
import type { Position } from "wirewalk/motion";
import { MapError, type Protocol, type RuleInfo, ruleInfoOf, type WorldMaps } from "wirewalk/protocol";
import type { CaseAction, CaseLimit } from "../cases/case-file.ts";
import { limitsOfRule } from "../cases/judge-case.ts";
import type { VerdictExplanation } from "./explain-verdict.ts";
import { figure, isLeast, quantityText } from "./quantity.ts";

/** What a part of a story answers. */
export type StoryPart = "claimed" | "possible" | "limit" | "certainty" | "ruled-out" | "done";

/** Sentences that answer one question. */
export interface StoryAnswer {
  readonly part: StoryPart;
  readonly text: string;
}

export interface StorySetup {
  readonly game: Protocol;
  /** The maps of the world; undefined where it has none. */
  readonly maps?: WorldMaps | undefined;
  /** What people did about it. Default: not known. */
  readonly actions?: readonly CaseAction[] | undefined;
}

/** Verdicts that are named one by one. */
const MAX_NAMED = 4;
/** Limits that are named one by one: the others are in the table of a case. */
const MAX_LIMITS = 3;
/** Less silence than this delays no client's messages noticeably. */
const STALL_MS = 1_000;
/** A pause so many times longer than the usual one is no habit of the client. */
const STALL_SHARE = 5;
/** Messages so near to each other came in one burst. */
const BURST_MS = 50;
const BURST_MESSAGES = 8;
/** What comes longer after a pause was not held back by it. */
const AFTER_STALL_MS = 2_000;

/** The answers in their order, never empty. */
export function storyOf(
  explanation: VerdictExplanation,
  { game, maps, actions = [] }: StorySetup,
): readonly StoryAnswer[] {
  const { name, player, room, epochMs, world, rule } = explanation;
  const who = name === undefined || name === "" ? `player ${player}` : name;
  const info = ruleInfoOf(game, rule);
  const limits = limitsOfRule(game, rule, world?.settings ?? {});
  const judged = explanation.message.bytes.length === 0 ? `what ${who} had done` : `a message of ${who}`;
  const answers: readonly (readonly [StoryPart, readonly string[]])[] = [
    [
      "claimed",
      [
        `On ${dateAndTime(epochMs)} a server of ${game.title} judged ${judged} in room ${room}.`,
        claimSentence(explanation),
      ],
    ],
    ["possible", measureSentences(explanation)],
    ["limit", [ruleSentence(rule, info), ...limitSentences(limits, explanation.measure?.allowed)]],
    ["certainty", certaintySentences(explanation)],
    ["ruled-out", causeSentences(explanation, { info, maps })],
    ["done", [doneSentence(explanation), ...actions.map(actionSentence), ...nearSentences(explanation, game)]],
  ];
  return answers.flatMap(([part, sentences]) => (sentences.length === 0 ? [] : [{ part, text: sentences.join(" ") }]));
}

function claimSentence({ message, reason, claimed, before, unit }: VerdictExplanation): string {
  if (message.bytes.length === 0) return `No message was judged, but the time that passed: ${sentence(reason)}`;
  const step = claimed.find(({ ms }) => ms >= 0);
  const last = step?.places.at(-1);
  const from = before === undefined || unit === undefined ? "" : ` The player had been at ${place(before)}.`;
  const to =
    last === undefined
      ? ""
      : ` The last place that the message names is ${place(last)}${unit === undefined ? "" : `, in ${unit}`}.`;
  return `${sentence(reason)}${from}${to}`;
}

function measureSentences({ measure, envelope, unit }: VerdictExplanation): readonly string[] {
  if (measure === undefined) return ["There is no figure to it: what was sent, or when, is the finding itself."];
  const { measured, allowed, unit: of, over = 0, share } = measure;
  // The number of a thing is no measure.
  if (of === MONSTER_NUMBER) return [`It is about the monster with the number ${measured}.`];
  const many = quantityText(measured, of);
  if (allowed === undefined) return [`The rule measured ${many}.`];
  const limit = quantityText(allowed, of);
  if (isLeast(of)) {
    return [`The rule measured ${many}, and people have at least ${limit}: so little is too even, as a program's is.`];
  }
  const isWay = of === unit;
  if (allowed === 0)
    return [`The rule measured ${many}, and ${isWay ? "nothing but 0 was possible" : "it allows none"}.`];
  const most = isWay ? `at most ${limit} was possible` : `the rule allows at most ${limit}`;
  if (over <= 0) return [`The rule measured ${many}, and ${most}: that is used up.`];
  const times = share === undefined || share < 1.005 ? "" : `${figure(share)} times as much`;
  // Of two percentages the difference would be read as a percentage of one.
  const more = of === "share" ? times : [`${quantityText(over, of)} too much`, times].filter(Boolean).join(", ");
  const within =
    envelope?.shape === "circle"
      ? ` From where the player was, no place farther than ${figure(envelope.radius)} ${unit ?? ""} could be reached in that time.`
      : "";
  // A figure about a hand or a count is unusual beyond its limit, and not impossible.
  return [`The rule measured ${many}, and ${most}: ${more}.${within}`];
}

const MONSTER_NUMBER = "mobId";

function ruleSentence(rule: string, info: RuleInfo | undefined): string {
  return info === undefined ? `The rule is called ${rule}.` : `The rule is called ${rule}: “${info.title}”.`;
}

function limitSentences(limits: readonly CaseLimit[], allowed: number | undefined): readonly string[] {
  if (limits.length === 0) return ["It has no limit that can be set."];
  const chosen = limits.filter(({ value, own }) => value !== own);
  const others = limits.filter((limit) => !chosen.includes(limit));
  // The one that the message was compared with says most.
  others.sort((a, b) => Number(b.value === allowed) - Number(a.value === allowed));
  const named = [...chosen, ...others].slice(0, Math.max(MAX_LIMITS, chosen.length)).map(limitText);
  const more = limits.length > named.length ? `; and ${limits.length - named.length} more` : "";
  return [
    `What it goes by: ${named.join("; ")}${more}.`,
    chosen.length === 0
      ? "They are those that the game comes with."
      : `The owner of the server had chosen ${chosen.length === 1 ? "the first one" : `the first ${chosen.length}`}.`,
  ];
}

function limitText({ summary, value, own, unit }: CaseLimit): string {
  const text = summary.replaceAll("`", "");
  const begun = `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
  return `${begun} (${quantityText(value, unit)}${value === own ? "" : `, and ${quantityText(own, unit)} in the game`})`;
}

function certaintySentences({ kind, measure, replay, rule, near }: VerdictExplanation): readonly string[] {
  const again = near.filter((each) => each.rule === rule && each.kind !== "benign").length;
  const often =
    again === 0 ? [] : [`The rule found the same ${again === 1 ? "once" : `${again} times`} more in these seconds.`];
  if (kind === "benign") return ["Honest clients do this too: it is no sign of a cheat.", ...often];
  const { share } = measure ?? {};
  const much =
    share === undefined || share < CLEAR_SHARE
      ? share === undefined || share <= 1
        ? []
        : ["It is little more than the limit: alone it says little, often it says much."]
      : ["It is far more than the limit."];
  return [
    ...much,
    ...often,
    replay.isReproduced
      ? "The same seconds, played again by the same rules, give the same verdict."
      : "The same seconds, played again, do not give this verdict: do not rely on it.",
  ];
}

/** From here on a measure is far over its limit. */
const CLEAR_SHARE = 1.5;

/** What honest causes there could have been. */
function causeSentences(
  explanation: VerdictExplanation,
  { info, maps }: { readonly info: RuleInfo | undefined; readonly maps: WorldMaps | undefined },
): readonly string[] {
  if (explanation.kind === "benign") return [];
  const allows = info?.allows === undefined ? [] : [`The rule allows for ${info.allows}: this is more.`];
  return [...allows, ...lineSentences(explanation), ...mapSentences(explanation, maps)];
}

/** Whether the line may have held messages back, by their times. */
function lineSentences({ claimed, window: { fromMs } }: VerdictExplanation): readonly string[] {
  const times = claimed.filter(({ ms }) => ms <= 0).map(({ ms }) => ms);
  if (times.length < 3) return ["Too few messages came before it to say whether the line had stalled."];
  const pauses = times.slice(1).map((ms, index) => ms - (times[index] as number));
  const longest = Math.max(...pauses);
  const usual = pauses.toSorted((a, b) => a - b)[pauses.length >> 1] as number;
  const stalls = pauses.flatMap((pause, index) => {
    const endMs = times[index + 1] as number;
    return pause >= STALL_MS && pause >= STALL_SHARE * usual && endMs >= -AFTER_STALL_MS ? [{ pause, endMs }] : [];
  });
  const [stall] = stalls.slice(-1);
  const burst = times.filter((ms) => ms >= -BURST_MS).length;
  const seconds = figure(-fromMs / 1000);
  return [
    stall === undefined
      ? `No stall of the line: in the ${seconds} s before, the longest pause between two messages was ${duration(longest)}.`
      : `The line may have stalled: for ${duration(stall.pause)} nothing came, until ${stall.endMs === 0 ? "this message" : `${duration(-stall.endMs)} before it`}. What the rule allows for that is counted in what was possible.`,
    burst > BURST_MESSAGES
      ? `${burst} messages came within ${BURST_MS} ms, as after a stall or from a program that saves them up.`
      : "No burst: the messages came one by one.",
  ];
}

function mapSentences(
  { world, before, envelope, room }: VerdictExplanation,
  maps: WorldMaps | undefined,
): readonly string[] {
  // Nothing of the place counts.
  if (world === undefined || (before === undefined && envelope === undefined)) return [];
  if (hasMap(maps, room)) return ["The server had the map of the room."];
  if (world.demo) return ["The room is one of the server's own, whose shape it knows."];
  return ["The server had no map of the room: walls and floors did not count, and what a map may add was allowed for."];
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

function doneSentence({ kind, world }: VerdictExplanation): string {
  if (kind === "flag")
    return world?.enforcement === "log"
      ? "It was noted, and nothing was done: the server only logs."
      : "It was noted, and the message was passed on.";
  if (kind === "correct") return "The message was not passed on, and the player was put back.";
  if (kind === "reject") return "The message was refused: nobody else saw it.";
  return "It was found to have an honest cause, and nothing was done.";
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

function nearSentences({ near, window }: VerdictExplanation, game: Protocol): readonly string[] {
  if (near.length === 0)
    return [`No other rule found anything in the ${figure((window.toMs - window.fromMs) / 1000)} s around it.`];
  const honest = near.filter(({ kind }) => kind === "benign");
  const others = near.filter(({ kind }) => kind !== "benign");
  const counts = new Map<string, number>();
  for (const { rule } of others) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_NAMED).map(([rule, count]) => {
    const title = `“${ruleInfoOf(game, rule)?.title ?? rule}”`;
    return count === 1 ? title : `${title} ${count} times`;
  });
  const more = counts.size > MAX_NAMED ? ` and ${counts.size - MAX_NAMED} more rules` : "";
  return [
    ...(named.length === 0 ? [] : [`In the seconds around it other verdicts were given: ${named.join(", ")}${more}.`]),
    ...(honest.length === 0
      ? []
      : [
          `${honest.length === 1 ? "One message" : `${honest.length} messages`} near it had an honest cause: ${sentence(honest[0]?.reason ?? "")}`,
        ]),
  ];
}

/** A reason as a sentence. */
function sentence(reason: string): string {
  const text = reason.trim();
  if (text === "") return "The rule gives no reason.";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function place({ x, y, z, level }: Position): string {
  const level2 = level === undefined ? "" : `, level ${level}`;
  return `(${[x, y, ...(z === undefined ? [] : [z])].map(figure).join(", ")}${level2})`;
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
