/**
 * The tables of revisions in the standard are made from the revisions.
 *
 * `UPDATE_DOCS=1 npx vitest run --project code revision-tables` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { FieldNode, IntegerNode, RunLength } from "../../../../../wire/index.ts";
import type { MaskRevision } from "./mask-revision.ts";
import { knownRevisions } from "./named-revisions.ts";

const page = new URL("../../../../../../../../docs/protocols/osrs-player-info.md", import.meta.url);
const [START, END] = ["<!-- revisions -->", "<!-- /revisions -->"];

const hex = (flag: number): string => `0x${flag.toString(16).toUpperCase()}`;
const code = (text: string | undefined): string => (text === undefined ? "" : ` \`${text}\``);

function fieldText(field: FieldNode): string {
  const text = bareText(field);
  return field.when === undefined ? text : `[${text}]`;
}

function bareText({ name, node }: FieldNode): string {
  switch (node.kind) {
    case "bytes": {
      const changes = [node.reversed ? "reversed" : "", node.transform ?? ""].filter((each) => each !== "");
      return `${name}: ${countText(node.length)}; n bytes${code(changes.length === 0 ? undefined : changes.join(" "))}`;
    }
    case "array": {
      const count = countText(node.length);
      if (node.item.kind === "variant") return `${name}: ${count}, n hits (6.4)`;
      if (node.item.kind === "struct") return `${name}: ${count}, n x (${fieldsText(node.item.fields)})`;
      break;
    }
    case "smart":
      return `${name} ${node.wide ? "wide smart" : "smart"}`;
    case "text":
      return `${name} string`;
    case "integer":
      return `${name} ${node.signed ? "i" : "u"}${node.bits}${code(changeText(node))}`;
  }
  throw new Error(`${name} is a ${node.kind}, for which the tables have no words`);
}

function countText(length: RunLength): string {
  if (typeof length !== "object" || !("count" in length) || length.count.kind !== "integer")
    throw new Error("a run without a count");
  return `n u8${code(length.count.transform)}`;
}

/** How the bytes of a number are changed: nothing, a transform, or an order, of two bytes with + for +128. */
function changeText({ bits, order, transform }: IntegerNode): string | undefined {
  if (bits === 16 && transform === "+128") return `${order.toUpperCase()}+`;
  return transform ?? (order === "be" ? undefined : order.toUpperCase());
}

/** Fields one after another; those of a pattern as one. */
function fieldsText(fields: readonly FieldNode[]): string {
  const texts = fields.filter(({ name }) => !/^pattern[2-8]$/.test(name)).map(fieldText);
  return texts.join("; ").replace("pattern1", "pattern1..8");
}

function tableOf({ name, extensions, blocks }: MaskRevision): string[] {
  const rows = blocks.map(
    ({ name: block, flag, node, source }, at) =>
      `| ${at + 1} | ${hex(flag)} | ${block} | ${source === undefined ? fieldsText(node.fields) : `no block: ${source}`} |`,
  );
  const bits = extensions.map(hex).join(", ");
  const head = ["| # | flag | block | fields |", "| --- | --- | --- | --- |"];
  return [`#### Revision ${name}, extension bits ${bits}`, "", ...head, ...rows, ""];
}

it("the standard lists the blocks of the known revisions", () => {
  const revisions = knownRevisions.filter(({ name }) => name !== "206");
  const text = readFileSync(page, "utf8");
  const [before = "", after = ""] = text.split(new RegExp(`(?<=${START}\\n)[^]*(?=${END})`));
  const made = `${before}\n${revisions.flatMap(tableOf).join("\n")}\n${after}`;
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, made);
  expect(readFileSync(page, "utf8")).toBe(made);
});
