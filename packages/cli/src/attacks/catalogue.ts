/** Every attack, by family. */
import type { Protocol } from "wirewalk/protocol";
import type { Attack } from "./attack.ts";
import { bytesAttacks } from "./bytes.ts";
import { httpAttacks } from "./http.ts";
import { websocketAttacks } from "./websocket.ts";

export function catalogue(_protocols: Readonly<Record<string, Protocol>>): readonly Attack[] {
  return [...bytesAttacks, ...websocketAttacks, ...httpAttacks];
}

/** The catalogue as a table in Markdown: that of `docs/reliability.md`. */
export function catalogueTable(attacks: readonly Attack[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = attacks.map(
    ({ name, summary, expectation }) => `| \`${name}\` | ${cell(summary)} | ${cell(expectation)} |`,
  );
  return ["| attack | what it does | what must be so |", "| --- | --- | --- |", ...rows, ""].join("\n");
}
