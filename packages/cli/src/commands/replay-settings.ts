/** What `replay --set` prints: the verdicts that other limits add and remove. */
import type { RecordedWorld, SettingsComparison, VerdictChange } from "@wirewalk/recording";
import { escapeControls } from "wirewalk/wire";

/** A line for each change, and one with the counts. */
export function comparisonJson(file: string, comparison: SettingsComparison): string {
  const { changes, rules, ...rest } = comparison;
  const counts = { file, ...rest, rules: Object.fromEntries(rules) };
  return [...changes, counts].map((each) => `${JSON.stringify(each)}\n`).join("");
}

export function comparisonText(world: RecordedWorld, comparison: SettingsComparison): string {
  const { settings, changes, rules, total, gaps, fromMs, toMs } = comparison;
  const lines = [`${world.protocol}, dialect ${world.dialect}: ${((toMs - fromMs) / 1000).toFixed(1)} s`];
  for (const { name, unit, recorded, other } of settings)
    lines.push(`  ${name}: ${recorded} -> ${other} ${unit}`.trimEnd());
  for (const { from, to, afterMs } of gaps) {
    lines.push(`Missing: records ${from} to ${to}, after ${(afterMs / 1000).toFixed(3)}`);
  }
  if (changes.length > 0) lines.push("", ...table([HEAD, ...changes.map(rowOf)]));
  lines.push("", `${total.appear} verdicts appear, ${total.vanish} vanish, ${total.same} are the same.`);
  if (rules.size > 0) {
    const rows = Array.from(rules, ([rule, { appear, vanish, same }]) => [rule, `${appear}`, `${vanish}`, `${same}`]);
    lines.push(...table([["rule", "appear", "vanish", "same"], ...rows]));
  }
  if (changes.some(({ isCertain }) => !isCertain)) {
    lines.push(
      "",
      "~: an estimate. The player's client would have seen another answer before, and would have sent something else.",
    );
  }
  return `${lines.map((line) => escapeControls(line)).join("\n")}\n`;
}

const HEAD = ["", "time", "player", "kind", "rule", "measured", "allowed", "unit", ""];

function rowOf({ change, atMs, player, kind, rule, measured, allowed, unit, isCertain }: VerdictChange): string[] {
  const shown = (value: number | undefined): string => (value === undefined ? "" : String(Number(value.toFixed(3))));
  const time = (atMs / 1000).toFixed(3);
  return [change, time, String(player), kind, rule, shown(measured), shown(allowed), unit ?? "", isCertain ? "" : "~"];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return /^[\d.]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join("  ").trimEnd();
  });
}
