/** A verdict in sentences, for people who do not know the rules: what was claimed, what was possible, by which limit, and what was done. */
import type { Position } from "wirewalk/motion";
import type { Protocol } from "wirewalk/protocol";
import type { VerdictExplanation } from "../verdicts/explain-verdict.ts";
import type { CaseLimit } from "./case-file.ts";

export interface StorySetup {
  readonly game: Protocol;
  readonly limits: readonly CaseLimit[];
  readonly enforcement: "enforce" | "log";
}

/** Verdicts that are named one by one. */
const MAX_NAMED = 4;

export function storyOf(explanation: VerdictExplanation, { game, limits, enforcement }: StorySetup): readonly string[] {
  const { name, player, room, epochMs, world } = explanation;
  const who = name === undefined || name === "" ? `player ${player}` : name;
  const at = new Date(epochMs).toISOString();
  return [
    `On ${at.slice(0, 10)} at ${at.slice(11, 19)} UTC a server of ${game.title} (dialect ${world?.dialect ?? "unknown"}) judged a message of ${who} in room ${room}.`,
    claimSentence(explanation),
    ...measureSentences(explanation),
    ...limitSentences(limits),
    doneSentence(explanation, enforcement),
    ...nearSentences(explanation),
    explanation.replay.isReproduced
      ? "The same seconds, played again by the same rules, give the same verdict."
      : "The same seconds, played again, do not give this verdict.",
  ];
}

function claimSentence({ message, reason, claimed, before, unit }: VerdictExplanation): string {
  if (message.bytes.length === 0) return `No message was judged, but the time that passed: ${sentence(reason)}`;
  const step = claimed.find(({ ms }) => ms >= 0);
  const last = step?.places.at(-1);
  const from = before === undefined || unit === undefined ? "" : ` The player had been at ${place(before)}.`;
  const to =
    last === undefined
      ? ""
      : ` The message says that the player is at ${place(last)}${unit === undefined ? "" : `, in ${unit}`}.`;
  return `${sentence(reason)}${from}${to}`;
}

function measureSentences({ measure, envelope, unit }: VerdictExplanation): readonly string[] {
  if (measure === undefined) return [];
  const { measured, allowed, unit: of, over, share } = measure;
  const many = `${figure(measured)}${of === "" ? "" : ` ${of}`}`;
  if (allowed === undefined) return [`The rule measured ${many}.`];
  const times = share === undefined || share < 1.005 ? "" : `, ${figure(share)} times as much`;
  const most = `${figure(allowed)}${of === "" ? "" : ` ${of}`}`;
  const within =
    envelope?.shape === "circle"
      ? ` From where the player was, no place farther than ${figure(envelope.radius)} ${unit ?? ""} could be reached in that time.`
      : "";
  return [
    `The rule measured ${many}, and at most ${most} was possible: ${figure(over ?? 0)} too much${times}.${within}`,
  ];
}

function limitSentences(limits: readonly CaseLimit[]): readonly string[] {
  const chosen = limits.filter(({ value, own }) => value !== own);
  if (limits.length === 0) return ["The rule has no limit that can be set."];
  if (chosen.length === 0) return ["The limits of the rule are those that the game comes with."];
  const named = chosen.map(
    ({ name, value, own, unit }) => `${name} is ${figure(value)} ${unit} and not ${figure(own)}`,
  );
  return [`The owner of the server had chosen limits: ${named.join("; ").replaceAll("  ", " ")}.`];
}

function doneSentence({ kind, corrections }: VerdictExplanation, enforcement: "enforce" | "log"): string {
  if (kind === "flag")
    return enforcement === "log"
      ? "It was noted, and nothing was done: the server only logs."
      : "It was noted, and the message was passed on.";
  if (kind === "correct") {
    const sent =
      corrections.length === 0 ? "" : ` by ${corrections.map(({ name }) => name ?? "a message").join(" and ")}`;
    return `The message was not passed on, and the client was put back${sent}.`;
  }
  if (kind === "reject") return "The message was refused: nobody else saw it.";
  return "It was found to have an honest cause, and nothing was done.";
}

function nearSentences({ near, window }: VerdictExplanation): readonly string[] {
  if (near.length === 0)
    return [`No other rule found anything in the ${figure((window.toMs - window.fromMs) / 1000)} s around it.`];
  const honest = near.filter(({ kind }) => kind === "benign");
  const others = near.filter(({ kind }) => kind !== "benign");
  const counts = new Map<string, number>();
  for (const { rule } of others) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_NAMED).map(([rule, count]) => (count === 1 ? rule : `${rule} ${count} times`));
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

/** A number for people. */
function figure(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
