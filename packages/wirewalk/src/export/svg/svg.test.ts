/**
 * Diagrams of all messages: what is drawn is to scale, and every bit is there. Those of the default dialects stand in the
 * protocol pages.
 *
 * `UPDATE_DOCS=1 npx vitest run packages/wirewalk/src/export/svg/svg.test.ts` writes them anew.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultDialect, type Protocol } from "../../protocols/index.ts";
import { protocols } from "../../protocols/table.ts";
import { describeNode, sizeOf } from "../../wire/index.ts";
import { messagesOf, type ScopedMessage } from "../format.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { diagramFields, messageDiagram, svg } from "./svg.ts";

const messages = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.flatMap(({ name: dialect }) =>
    messagesOf({ protocol, dialects: [dialect] }, protocol.codec(dialect)).map((message) => ({
      protocol,
      dialect,
      message,
    })),
  ),
);

const textOf = (protocol: Protocol, dialect: string, { sender, message }: ScopedMessage): string =>
  messageDiagram(protocol, dialect, sender, message);

function protocolNamed(name: string): Protocol {
  const protocol = protocols[name];
  if (protocol === undefined) throw new Error(`no ${name}`);
  return protocol;
}

/** The bits of fields that stand outside of groups; undefined where something is not to scale. */
function fixedBits(blocks: readonly Block[]): number | undefined {
  if (blocks.some(({ kind }) => kind === "group" || kind === "long")) return undefined;
  return blocks.reduce((sum, block) => sum + (block.kind === "field" ? block.bits : 0), 0);
}

/** Numbers of all elements of a name. */
function elements(text: string, name: string): readonly Readonly<Record<string, number>>[] {
  return [...text.matchAll(new RegExp(`<${name} ([^>]*)>`, "g"))].map(([, attributes = ""]) =>
    Object.fromEntries([...attributes.matchAll(/(\w+)="(-?[\d.]+)"/g)].map(([, key, value]) => [key, Number(value)])),
  );
}

/** A text with its place and anchor. */
const TEXT = /<text class="\w+" x="([\d.]+)" y="([\d.]+)"(?: text-anchor="(\w+)")?>([^<]*)</g;
/** Pixels of a character of the largest text. */
const WIDEST = 12 * 0.61;

describe("a diagram", () => {
  it("of a message of fixed size has all of its bits", () => {
    let seen = 0;
    for (const { message } of messages) {
      const { least, most } = sizeOf(message.node);
      const drawn = fixedBits(blocksOf(message.node));
      if (least !== most || drawn === undefined) continue;
      expect(drawn, message.message).toBe(most);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(30);
  });

  it("names every field of its message", () => {
    for (const { protocol, dialect, message } of messages) {
      const text = textOf(protocol, dialect, message);
      const [, desc = ""] = /<desc[^>]*>([^<]*)<\/desc>/.exec(text) ?? [];
      const shown = text.slice(text.indexOf("</style>"));
      for (const block of blocksOf(message.node)) {
        if (block.kind === "field" || block.kind === "long") {
          const short = block.name.split(".").at(-1) ?? "";
          expect(
            shown.includes(`>${block.name}<`) || shown.includes(`>${short}<`) || shown.includes(` ${block.name}`),
          ).toBe(true);
        }
      }
      expect(desc).toContain(message.summary);
    }
  });

  it("keeps everything within its frame", () => {
    const outside: string[] = [];
    for (const { protocol, dialect, message } of messages) {
      const text = textOf(protocol, dialect, message);
      const [{ width = 0, height = 0 } = {}] = elements(text, "svg");
      for (const { x = 0, y = 0, width: wide = 0, height: high = 0 } of elements(text, "rect")) {
        if (x < 0 || y < 0 || x + wide > width || y + high > height) outside.push(`${message.message}: ${x} ${y}`);
      }
      for (const [, x, y, anchor, shown = ""] of text.matchAll(TEXT)) {
        const length = shown.replace(/&#\d+;/g, "x").length * WIDEST;
        const start = Number(x) - (anchor === undefined ? 0 : anchor === "middle" ? length / 2 : length);
        if (start < 0 || start + length > width || Number(y) > height) outside.push(`${message.message}: ${shown}`);
      }
    }
    expect(outside).toEqual([]);
  });

  it("has a title and a description, and the same text each time", () => {
    for (const { protocol, dialect, message } of messages) {
      const text = textOf(protocol, dialect, message);
      expect(text).toMatch(/^<svg [^>]*role="img" aria-labelledby="([\w-]+)-title \1-desc"/);
      expect(text).toMatch(/<title id="[\w-]+">\w+ \(0x/);
      expect(text).toBe(textOf(protocol, dialect, message));
    }
  });

  it("has cells for exactly the fields of its table, and the bits of each", () => {
    for (const { protocol, dialect, message } of messages) {
      const cells = elements(textOf(protocol, dialect, message), "rect").filter(({ field }) => field !== undefined);
      const fields = diagramFields(protocol, dialect, message.sender, message.message);
      expect(new Set(cells.map(({ field }) => field)), message.message).toEqual(new Set(fields.keys()));
      for (const { number, bits } of fields) {
        const drawn = cells.reduce((sum, { field, width = 0 }) => sum + (field === number ? width / 22 : 0), 0);
        if (bits !== undefined) expect(drawn, `${message.message} ${number}`).toBe(bits);
      }
    }
  });

  it("has the meanings that the description gives", () => {
    const fields = diagramFields(protocolNamed("maplestory"), "v62", "client", "movePlayer");
    const durations = fields.filter(({ name }) => name === "durationMs");
    expect(durations.length).toBeGreaterThan(2);
    expect(durations[0]?.groups).toEqual([
      expect.stringMatching(/^fragments: count times/),
      expect.stringMatching(/^type 0, 5, 17/),
    ]);
    const described = describeNode(
      protocolNamed("maplestory").codec("v62").layouts.client.movePlayer?.node ?? { kind: "struct", fields: [] },
    );
    for (const { path, meaning } of described.filter((row) => row.meaning !== "" && !row.path.startsWith("("))) {
      const name = path.split("[].").at(-1);
      expect(
        fields.map((field) => field.meaning),
        `${path} ${name}`,
      ).toContain(meaning);
    }
  });

  it("of an unknown message is refused", () => {
    const [protocol] = Object.values(protocols);
    if (protocol === undefined) throw new Error("no protocol");
    const [dialect] = protocol.dialects;
    expect(() => messageDiagram(protocol, dialect?.name ?? "", "client", "nothing")).toThrow(
      "a client of slime-online-2 documented sends no nothing",
    );
  });
});

const docs = new URL("../../../../../docs/", import.meta.url);
const folder = new URL("protocols/diagrams/", docs);

/** Pages by protocol, with the messages that each describes; without a list all of them. */
const pages: readonly { readonly page: string; readonly protocol: string; readonly messages?: readonly string[] }[] = [
  { page: "slime-online-2", protocol: "slime-online-2" },
  { page: "maplestory", protocol: "maplestory" },
  { page: "osrs-mouse", protocol: "osrs", messages: ["mouseMove"] },
  { page: "osrs-player-info", protocol: "osrs", messages: ["playerIndex", "playerInfoInit", "playerInfo"] },
  { page: "scrap-mechanic", protocol: "scrap-mechanic" },
];

const BEGIN = "<!-- diagrams: made by packages/wirewalk/src/export/svg/svg.test.ts -->";
const END = "<!-- end of the diagrams -->";

/** What stands between the marks of a page. */
function sectionOf(protocol: Protocol, only: readonly string[] | undefined): string {
  const dialect = defaultDialect(protocol);
  const found = messagesOf({ protocol, dialects: [dialect] }, protocol.codec(dialect));
  const lines = found
    .filter(({ message }) => only?.includes(message) !== false)
    .map(({ message, sender }) => {
      const title = `${message} from the ${sender}`;
      return `#### ${title}\n\n![${title}, bit by bit](diagrams/${protocol.name}.${dialect}.${sender}.${message}.svg)\n`;
    });
  return `${BEGIN}\n\nDialect \`${dialect}\`, what follows the id. A row has 32 bits; \`wirewalk export svg\` makes these of every dialect.\n\n### Message by message\n\n${lines.join("\n")}\n${END}`;
}

it("the diagrams of the protocol pages are those of the layouts", () => {
  const files = new Map<string, string>();
  for (const protocol of Object.values(protocols)) {
    for (const { name, text } of svg.files({ protocol, dialects: [defaultDialect(protocol)] })) files.set(name, text);
  }
  const isUpdate = process.env.UPDATE_DOCS !== undefined;
  if (isUpdate) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
  }
  expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
  for (const [name, text] of files) expect(readFileSync(new URL(name, folder), "utf8"), name).toBe(text);

  for (const { page, protocol: name, messages: only } of pages) {
    const file = new URL(`protocols/${page}.md`, docs);
    const protocol = protocols[name];
    if (protocol === undefined) throw new Error(`no protocol ${name}`);
    const text = readFileSync(file, "utf8");
    const [before = "", rest = ""] = text.split(BEGIN);
    const wanted = `${before}${sectionOf(protocol, only)}${rest.split(END)[1] ?? ""}`;
    if (isUpdate) writeFileSync(file, wanted);
    expect(isUpdate ? wanted : text, page).toBe(wanted);
    expect(text).toContain(BEGIN);
  }
});
