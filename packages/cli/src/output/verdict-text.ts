/** A verdict for people: `wirewalk verdict` and the statement of an exported ban. */
import type { ClaimedStep, ExplainedMessage, ServerStep, StoryAnswer, VerdictExplanation } from "@wirewalk/recording";
import { formatTrace, type TraceStyle } from "wirewalk/inspect";
import type { Position, Verdict } from "wirewalk/motion";
import type { KnownFact } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";

/** Lines of the seconds around a verdict. */
const MAX_STEPS = 40;

/** `story`: what `storyOf` tells of it; empty where the game is not known. */
export function explanationText(
  explanation: VerdictExplanation,
  story: readonly StoryAnswer[],
  style: TraceStyle = {},
): string {
  const { id, world, kind, rule, reason, player, name, account, room, seconds, epochMs } = explanation;
  const lines = [
    `${kind} by ${rule}: ${reason}`,
    `  id        ${id}`,
    `  at        ${seconds.toFixed(3)} s of the recording, ${new Date(epochMs).toISOString()}`,
    ...(world === undefined ? [] : [`  game      ${world.protocol}, dialect ${world.dialect}, room ${room}`]),
    `  player    ${player}${name === undefined ? "" : `, ${name}`}${account === undefined ? "" : `, ${account}`}`,
    ...measureLines(explanation),
    `  replayed  ${replayLine(explanation)}`,
  ];
  const { message, corrections, stateBefore, known } = explanation;
  const state = Object.entries(stateBefore).map(([key, value]) => `  ${key.padEnd(16)} ${JSON.stringify(value)}`);
  return [
    ...storyLines(story),
    ...lines.map((line) => escapeControls(line)),
    "",
    ...messageLines("The message", message, style),
    "",
    ...(known.length === 0 ? [] : ["What the server knew:", ...known.map(factLine), ""]),
    "The state before, by the names of the program:",
    ...(state.length === 0 ? ["  none"] : state).map((line) => escapeControls(line)),
    ...corrections.flatMap((each) => ["", ...messageLines("The correction", each, style)]),
    "",
    ...aroundLines(explanation).map((line) => escapeControls(line)),
    "",
  ].join("\n");
}

/** The story in front of what programmers read. */
function storyLines(story: readonly StoryAnswer[]): readonly string[] {
  return story.flatMap(({ question, lines }) => {
    if (lines.length === 0) return [];
    const told = lines.map((line) => escapeControls(question === "" ? line : `  ${line}`));
    return question === "" ? [...told, ""] : [`${question}:`, ...told, ""];
  });
}

function factLine({ name, value }: KnownFact): string {
  return escapeControls(`  ${name}: ${value}`);
}

function measureLines({ measure, envelope, unit, from }: VerdictExplanation): readonly string[] {
  const lines: string[] = [];
  if (measure !== undefined) {
    const { measured, allowed, unit: of, over, share } = measure;
    lines.push(`  measured  ${figure(measured)} ${of}`);
    if (allowed !== undefined) {
      const times = share === undefined ? "" : `, ${share.toFixed(2)} times as much`;
      lines.push(
        `  allowed   ${figure(allowed)} ${of}; ${(over ?? 0) < 0 ? "under" : "over"} by ${figure(Math.abs(over ?? 0))}${times}`,
      );
    }
  }
  if (from !== undefined && unit !== undefined) lines.push(`  from      ${place(from)} ${unit}`);
  if (envelope?.shape === "circle") {
    lines.push(`  within    ${figure(envelope.radius)} ${unit} of ${place(envelope)}`);
  } else if (envelope !== undefined) {
    const { left, right, top, bottom } = envelope;
    const sides = Object.entries({ "x >=": left, "x <=": right, "y >=": top, "y <=": bottom });
    const given = sides.filter(([, value]) => value !== undefined);
    lines.push(`  within    ${given.map(([side, value]) => `${side} ${figure(value ?? 0)}`).join(", ")} ${unit}`);
  }
  return lines;
}

function replayLine({ replay: { isReproduced, seconds, differences, problem } }: VerdictExplanation): string {
  if (problem !== undefined) return `no: ${problem}`;
  const what = isReproduced ? "the same world finds the same" : "the same world does NOT find this verdict";
  const [first] = differences;
  const differs = first === undefined ? "" : `; it differs, first in ${first.what} ${first.field}`;
  return `${seconds.toFixed(1)} s: ${what}${differs}`;
}

function messageLines(
  title: string,
  { name, bytes, fields, error }: ExplainedMessage,
  style: TraceStyle,
): readonly string[] {
  if (bytes.length === 0) return [`${title}: none, the rule looks at time`];
  return [
    `${title}${name === undefined ? "" : `, ${name}`}, ${bytes.length} bytes:`,
    formatTrace(bytes, { fields, error }, style),
  ];
}

/** Messages, verdicts and the server's place, in order of time. */
function aroundLines({ claimed, server, near, window, unit }: VerdictExplanation): readonly string[] {
  const entries: { readonly ms: number; readonly line: string }[] = [
    ...claimed.map((step) => ({ ms: step.ms, line: claimLine(step, serverAt(server, step.ms)) })),
    ...near.map(({ ms, kind, rule, id }) => ({ ms, line: `  verdict: ${kind} by ${rule}, ${id}` })),
  ];
  entries.sort((a, b) => a.ms - b.ms);
  // Those nearest to the verdict.
  const middle = entries.findIndex(({ ms }) => ms >= 0);
  const from = Math.max(0, (middle < 0 ? entries.length : middle) - Math.floor((MAX_STEPS * 2) / 3));
  const shown = entries.slice(from, from + MAX_STEPS);
  const left = entries.length - shown.length;
  return [
    `From ${figure(-window.fromMs / 1000)} s before to ${figure(window.toMs / 1000)} s after${unit === undefined ? "" : `, places in ${unit}`}:`,
    ...(shown.length === 0
      ? ["  no messages of this client"]
      : shown.map(({ ms, line }) => `${signed(ms).padStart(9)} s${line}`)),
    ...(left === 0 ? [] : [`  and ${left} more`]),
  ];
}

function claimLine(
  { message, places, mover, room, kind, isJudged }: ClaimedStep,
  server: ServerStep | undefined,
): string {
  const last = places.at(-1);
  const of = mover === undefined ? "" : ` of ${mover}`;
  const to = room === undefined ? "" : ` in room ${room}`;
  const claims = last === undefined ? "" : ` claims ${place(last)}${of}${to}`;
  const had = server === undefined ? "" : `, the server has ${place(server)} (${server.stance})`;
  const found = kind === undefined ? "" : `  <- ${kind}${isJudged ? ", this verdict" : ""}`;
  return `  ${message}${claims}${had}${found}`;
}

/** Where the server had the player when the message came. */
function serverAt(server: readonly ServerStep[], ms: number): ServerStep | undefined {
  let found: ServerStep | undefined;
  for (const step of server) {
    if (step.ms > ms) break;
    found = step;
  }
  return found;
}

function place({ x, y, z, level }: Position): string {
  const parts = [
    figure(x),
    figure(y),
    ...(z === undefined ? [] : [figure(z)]),
    ...(level === undefined ? [] : [`level ${level}`]),
  ];
  return `(${parts.join(", ")})`;
}

/** A number for people, with three digits after the point at most. */
function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** What a verdict measured and what was allowed, in brackets behind its reason; empty where it has no numbers. */
export function measuredText({ measured, allowed, unit }: Verdict): string {
  if (measured === undefined) return "";
  const most = allowed === undefined ? "" : `, allowed ${figure(allowed)}`;
  return ` (${figure(measured)}${unit === undefined ? "" : ` ${unit}`}${most})`;
}

function signed(ms: number): string {
  return `${ms >= 0 ? "+" : ""}${(ms / 1000).toFixed(3)}`;
}
