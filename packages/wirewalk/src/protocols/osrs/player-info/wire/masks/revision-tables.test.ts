/**
 * The tables of revisions in the standard are made from the revisions.
 *
 * `UPDATE_DOCS=1 npx vitest run --project code revision-tables` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type MaskField, type MaskRevision, noMasks } from "./mask-revision.ts";
import { namedRevisions } from "./named-revisions.ts";

const page = new URL("../../../../../../../../docs/protocols/osrs-player-info.md", import.meta.url);
const [START, END] = ["<!-- revisions -->", "<!-- /revisions -->"];

const hex = (flag: number): string => `0x${flag.toString(16).toUpperCase()}`;
const code = (text: string | undefined): string => (text === undefined ? "" : ` \`${text}\``);

function fieldText(field: MaskField): string {
  const text = bareText(field);
  return field.when === undefined ? text : `[${text}]`;
}

function bareText(field: MaskField): string {
  const { name, type } = field;
  const count = "count" in field ? `n u8${code(field.count)}` : "n u8";
  switch (type) {
    case "bytes": {
      const changes = [field.reversed ? "reversed" : "", field.transform ?? ""].filter((each) => each !== "");
      return `${name}: ${count}; n bytes${code(changes.length === 0 ? undefined : changes.join(" "))}`;
    }
    case "hits":
      return `${name}: ${count}, n hits (6.4)`;
    case "list":
      return `${name}: ${count}, n x (${fieldsText(field.fields)})`;
    case "wideSmart":
      return `${name} wide smart`;
    case "string":
    case "smart":
      return `${name} ${type}`;
    case "headBars":
      return `${name}: ${count}, n bars (6.4)`;
    default: {
      const order = "order" in field ? field.order : undefined;
      return `${name} ${type}${code(field.transform ?? (order === "BE" ? undefined : order))}`;
    }
  }
}

/** Fields one after another; those of a pattern as one. */
function fieldsText(fields: readonly MaskField[]): string {
  const texts = fields.filter(({ name }) => !/^pattern[2-8]$/.test(name)).map(fieldText);
  return texts.join("; ").replace("pattern1", "pattern1..8");
}

function tableOf({ name, extensions, blocks }: MaskRevision): string[] {
  const rows = blocks.map(
    ({ name: block, flag, fields }, at) => `| ${at + 1} | ${hex(flag)} | ${block} | ${fieldsText(fields)} |`,
  );
  const bits = extensions.map(hex).join(", ");
  const head = ["| # | flag | block | fields |", "| --- | --- | --- | --- |"];
  return [`#### Revision ${name}, extension bits ${bits}`, "", ...head, ...rows, ""];
}

it("the standard lists the blocks of the known revisions", () => {
  const revisions = Object.values(namedRevisions).filter((each) => each !== noMasks && each.name !== "206");
  const text = readFileSync(page, "utf8");
  const [before = "", after = ""] = text.split(new RegExp(`(?<=${START}\\n)[^]*(?=${END})`));
  const made = `${before}\n${revisions.flatMap(tableOf).join("\n")}\n${after}`;
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, made);
  expect(readFileSync(page, "utf8")).toBe(made);
});
