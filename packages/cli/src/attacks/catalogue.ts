/** Every attack, by family. */
import type { Protocol } from "wirewalk/protocol";
import { admissionAttacks } from "./admission.ts";
import type { Attack } from "./attack.ts";
import { bytesAttacks } from "./bytes.ts";
import { cheatAttacks } from "./cheats.ts";
import { httpAttacks } from "./http.ts";
import { identityAttacks } from "./identity.ts";
import { ratesAttacks } from "./rates.ts";
import { takeOverAttacks } from "./take-over.ts";
import { websocketAttacks } from "./websocket.ts";

export function catalogue(protocols: Readonly<Record<string, Protocol>>): readonly Attack[] {
  return [
    ...identityAttacks,
    ...takeOverAttacks,
    ...admissionAttacks,
    ...bytesAttacks,
    ...websocketAttacks,
    ...httpAttacks,
    ...ratesAttacks,
    ...cheatAttacks(protocols),
  ];
}

/** The catalogue as a table in Markdown: that of `docs/reliability.md`. */
export function catalogueTable(attacks: readonly Attack[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = attacks.map(
    ({ name, summary, expectation }) => `| \`${name}\` | ${cell(summary)} | ${cell(expectation)} |`,
  );
  return ["| attack | what it does | what must be so |", "| --- | --- | --- |", ...rows, ""].join("\n");
}
