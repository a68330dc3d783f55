/** Tables of what recordings say of the rules. */
import type { RuleHearing } from "@wirewalk/recording";

const HEAD = ["rule", "honest h", "found", "per h (95 %)", "players", "cheats found", "median s", "most s"];

/** Rules that found something, or were not found wanting: those without a word are left out. */
export function hearingTable(
  game: string,
  hearing: readonly RuleHearing[],
  other?: readonly RuleHearing[],
): readonly string[] {
  const rows = hearing.flatMap((each) => {
    const then = other?.find(({ rule }) => rule === each.rule);
    const isSilent =
      each.findings === 0 && each.found === 0 && (then === undefined || (then.findings === 0 && then.found === 0));
    if (isSilent && each.rule !== "*") return [];
    const cells = cellsOf(each);
    if (then === undefined) return [cells];
    const others = cellsOf(then);
    return [cells.map((cell, at) => (at === 0 || cell === others[at] ? cell : `${cell} -> ${others[at]}`))];
  });
  return [`${game}:`, ...table([HEAD, ...rows])];
}

function cellsOf(each: RuleHearing): readonly string[] {
  const { rule, honestHours, findings, perHour, perHourLow, perHourHigh, players, found, cheats } = each;
  const { medianSeconds, mostSeconds } = each;
  const rate = honestHours === 0 ? "-" : `${number(perHour)} (${number(perHourLow)} to ${number(perHourHigh)})`;
  return [
    rule === "*" ? "all rules" : rule,
    number(honestHours),
    String(findings),
    rate,
    String(players),
    `${found} of ${cheats}`,
    medianSeconds === undefined ? "-" : medianSeconds.toFixed(1),
    mostSeconds === undefined ? "-" : mostSeconds.toFixed(1),
  ];
}

function number(value: number): string {
  if (value === 0 || value >= 100) return String(Math.round(value));
  return value.toPrecision(3);
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_name, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}
