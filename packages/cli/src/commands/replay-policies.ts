/** What `replay --policy` prints: what policies would have done with a recording. */
import type { Recording } from "@wirewalk/recording";
import type { DryAction } from "@wirewalk/server";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, UsageError } from "../context.ts";
import { ofFile } from "../files/recording-input.ts";
import { write } from "../output/output.ts";
import { choosePolicies, policyTexts } from "./serve-policies.ts";

export async function printDryRun(
  context: CommandContext,
  file: string,
  recording: Recording,
  { policy, json }: { readonly policy: readonly string[]; readonly json?: true },
): Promise<void> {
  const { listVerdicts, recordedWorld } = await import("@wirewalk/recording");
  const { dryRun } = await import("@wirewalk/server");
  const { protocol: name } = await ofFile(file, () => recordedWorld(recording));
  const game = context.protocols[name];
  if (game === undefined) throw new UsageError(`${file} is a recording of ${name}, which is not known here`);
  const policies = choosePolicies(context, [{ name, game }], policy)({ name, game });
  if (policies === undefined) throw new UsageError(`${file} is a recording of ${name}: no --policy is about it`);
  const verdicts = [...listVerdicts(recording)];
  let actions: readonly DryAction[];
  try {
    actions = dryRun(game, policies, verdicts);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--policy: ${error.message}`);
    throw error;
  }
  const startMs = verdicts[0]?.verdict.atMs ?? 0;
  if (json === true) {
    for (const each of actions) await write(context.stdout, `${JSON.stringify(each)}\n`);
    const counts = countsOf(actions);
    await write(
      context.stdout,
      `${JSON.stringify({ file, policies: policyTexts(policies), verdicts: verdicts.length, ...counts })}\n`,
    );
    return;
  }
  const lines = Object.entries(policyTexts(policies)).map(([rule, text]) => `${name}.${rule}=${text}`);
  lines.push("");
  for (const each of actions) lines.push(lineOf(each));
  if (actions.length > 0) lines.push("");
  const { players, byAction } = countsOf(actions);
  const done = Object.entries(byAction).map(([action, count]) => `${count} × ${action}`);
  const about = `${verdicts.filter(({ verdict }) => verdict.kind !== "benign").length} verdicts above benign, from ${(startMs / 1000).toFixed(1)} s on`;
  lines.push(
    `${about}: ${done.length === 0 ? "nothing would have been done." : `${done.join(", ")}, to ${players} players.`}`,
  );
  if (actions.some(({ isCertain }) => !isCertain)) {
    lines.push("~: an estimate. What was done to the player before would have changed what it did next.");
  }
  await write(context.stdout, `${lines.map((line) => escapeControls(line)).join("\n")}\n`);
}

function countsOf(actions: readonly DryAction[]): {
  readonly players: number;
  readonly byAction: Readonly<Record<string, number>>;
} {
  const byAction: Record<string, number> = {};
  for (const { action } of actions) byAction[action] = (byAction[action] ?? 0) + 1;
  return { players: new Set(actions.map(({ player }) => player)).size, byAction };
}

function lineOf({ atMs, player, name, action, rule, score, limit, isCertain }: DryAction): string {
  const who = name === undefined ? `player ${player}` : `${name} (player ${player})`;
  const why =
    score === undefined
      ? `a message, by ${rule}`
      : `${rule === "*" ? "all rules" : rule} at ${score.toFixed(1)} of ${limit}`;
  return `${isCertain ? " " : "~"} ${(atMs / 1000).toFixed(3)}  ${action.padEnd(7)}  ${who}: ${why}`;
}
