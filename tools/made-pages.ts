/**
 * Pages of `docs/` that are made from the code: the rules with their limits, and the errors. `UPDATE_DOCS=1 npx vitest run --project
 * code tools/made-pages.test.ts` writes them anew.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HonestCause, Protocol, RuleInfo } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { WireErrorCode } from "wirewalk/wire";
import { slugOf } from "../apps/docs/content/slug.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");

/** The guides with a table of rules, and the standards with their sources. */
const guides: Readonly<Record<string, readonly string[]>> = {
  "slime-online-2": ["slime-online-2"],
  osrs: ["osrs-mouse"],
  maplestory: ["maplestory"],
  "scrap-mechanic": ["scrap-mechanic"],
};

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Columns of a guide's table of rules, and what stands in them. Other columns, such as the test, are the guide's own. */
const ruleColumns: Readonly<Record<string, "answer" | "finds" | "measured">> = {
  kind: "answer",
  when: "finds",
  "what suggests a machine": "finds",
  measured: "measured",
};

/** A guide of a game with the texts of its rules in its tables of rules. Throws for a row of an unknown rule. */
export function withRules(guide: string, { capabilities, name }: Protocol): string {
  let header: readonly string[] = [];
  return read(`docs/${guide}.md`)
    .split("\n")
    .map((line) => {
      if (!line.startsWith("|")) header = [];
      else if (line.startsWith("| rule |")) header = cellsOf(line);
      else if (header.length > 0 && !line.startsWith("| ---")) {
        const cells = cellsOf(line);
        const rule = (cells[0] ?? "").replaceAll("`", "");
        const info = capabilities?.glossary?.[rule];
        if (info === undefined) throw new Error(`docs/${guide}.md describes ${rule}, which ${name} has not`);
        const filled = header.map((column, index) => {
          const from = ruleColumns[column];
          return from === undefined ? (cells[index] ?? "") : info[from];
        });
        return `|${filled.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
      }
      return line;
    })
    .join("\n");
}

/** The guides with tables of rules, each with its game. */
export const ruleGuides: readonly (readonly [guide: string, protocol: Protocol])[] = Object.entries(guides).flatMap(
  ([name, files]) => {
    const protocol: Protocol | undefined = protocols[name];
    return protocol === undefined ? [] : files.map((guide) => [guide, protocol] as const);
  },
);

/** The cheats that each rule finds first in the recordings of `corpus/`: rows of the table in `docs/fairness.md`. */
function foundCheats(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const [, table = ""] = /<!-- corpus -->\n([\s\S]*?)<!-- \/corpus -->/.exec(read("docs/fairness.md")) ?? [];
  for (const line of table.split("\n").slice(2)) {
    const [game, rule, cheat, seconds] = cellsOf(line);
    if (cheat === undefined) continue;
    const key = `${game} ${rule}`;
    found.set(key, [...(found.get(key) ?? []), `${cheat} after ${seconds} s`]);
  }
  return found;
}

/** Links in place of the short references of a guide to sections of its standard. */
function withLinks(text: string, guide: string): string {
  const standard = read(`docs/protocols/${guide}.md`);
  return text.replace(/\bstandard (E?\d+(?:\.\d+)*)/g, (_, section: string) => {
    const [, heading = ""] = new RegExp(`^#+ (${section.replaceAll(".", "\\.")} .*)$`, "m").exec(standard) ?? [];
    return `[${section}](protocols/${guide}.md${heading === "" ? "" : `#${slugOf(heading)}`})`;
  });
}

const HEAD = `# Rules

A rule finds something in one message of a player, and says it in a **verdict**: what was measured, what is allowed, the bytes, and the
state before. [Concepts](concepts.md#from-bit-to-verdict) explains the kinds of verdicts, and [verdicts](verdicts.md) what follows from them. Each
rule of each game is below: what it finds, its limits, where they come from, and which cheats of our bots it finds first.

## Settings

Every limit of a rule is a setting: it has a name, a unit, bounds and a source. \`wirewalk rules\` prints them, with
\`--json\` as data. The same names are set

* on the command line: \`wirewalk serve --set slime-online-2.maxSpeed=3\`, any number of times. A value may have its unit
  (\`3px/frame\`), and another unit is refused;
* for one world: \`--set scania.walkPxPerSecond=140\` with \`--world scania=maplestory\`, or \`settings\` of that world in the config file;
* in a file: \`wirewalk serve --rules rules.json\` with \`{"slime-online-2.maxSpeed": 3}\`. \`--set\` wins over it;
* in the library, for a game or for one world:

\`\`\`ts
import { SlimeWorld, slimeOnline2 } from "wirewalk/slime-online-2";

const faster = slimeOnline2.capabilities.settings?.configure({ maxSpeed: 3 });
const world = new SlimeWorld({ dialect: "v0106", seed: 1, limits: { maxSpeed: 3 } });
\`\`\`

A world saves its limits by name, and one with other limits refuses to restore it. Recordings have the settings in force
([recordings.md](recordings.md)); \`wirewalk replay --set\` says what other limits would have found.

What limits the memory or the bytes of a peer is no setting, and nor is what defines a measure, such as the rest that ends a
stroke of the mouse or the length of a burst in \`LinkPace\`.

Sources are sections of the game's standard in [protocols/](protocols/README.md); "ours" is a decision of this project.
`;

function settingsTable(protocol: Protocol): string {
  const rows = Object.entries(protocol.capabilities?.settings?.values ?? {}).map(
    ([name, { summary, unit, default: value, least, most, source, rules }]) =>
      `| \`${name}\` | ${value}${unit === "" ? "" : ` ${unit}`} | ${least} to ${most} | ${rules.join(", ")} | ${summary} (${source.replace("standard ", "")}) |`,
  );
  return [
    "| setting | default | bounds | rules | what (source) |",
    "| --- | ---: | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

const weights: Readonly<Record<NonNullable<RuleInfo["weight"]>, string>> = {
  proof: "no client of the game sends this",
  strong: "a clear excess is a cheat, a small one may be chance",
  hint: "worth a look, and never enough alone",
  noise: "harmless: it says little even when it is often found",
};

const knownCauses: Readonly<Record<string, string>> = {
  pause: "A connection that hangs.",
  burst: "Late messages that come at once.",
  map: "A map that the server does not have.",
};

function causeText(cause: HonestCause): string {
  return typeof cause === "string" ? (knownCauses[cause] ?? "") : cause.words;
}

/** One rule. Throws where the game's glossary has no words for it. */
function ruleSection(protocol: Protocol, rule: string, guide: string, cheats: readonly string[]): string {
  const { capabilities } = protocol;
  const described = capabilities?.glossary?.[rule];
  if (described === undefined) throw new Error(`The glossary of ${protocol.name} has no words for ${rule}`);
  const limits = Object.entries(capabilities?.settings?.values ?? {}).filter(([, { rules }]) => rules.includes(rule));
  const sources = [...new Set(limits.map(([, { source }]) => source.replace("standard ", "")))];
  const responses = Object.entries(capabilities?.responses ?? {}).find(([name]) => name === rule)?.[1] ?? [];
  const finds = withLinks(described.finds, guide);
  const when = finds.charAt(0).toUpperCase() + finds.slice(1);
  const lines = [
    ["kind", described.answer],
    ["measured in", described.measured],
    [
      "limits",
      limits
        .map(([name, { default: value, unit }]) => `\`${name}\` ${value}${unit === "" ? "" : ` ${unit}`}`)
        .join(", "),
    ],
    ["source", sources.join("; ")],
    ["other answers", responses.map((each) => `\`${each}\``).join(", ")],
    ["finds first", cheats.join(", ")],
    ["how far a finding goes", weights[described.weight ?? "strong"]],
    ["honest causes", (described.causes ?? []).map(causeText).join(" ")],
    ["by itself", described.remedy ?? ""],
  ].filter(([, text]) => text !== "");
  return [
    `### \`${rule}\` (${protocol.name})`,
    "",
    `**${described.title}.** ${when}.${described.allows === undefined ? "" : ` It allows for ${described.allows}.`}`,
    "",
    ...lines.map(([name, text]) => `* ${name}: ${text}`),
    "",
  ].join("\n");
}

/** `docs/rules.md` */
export function rulesPage(): string {
  const cheats = foundCheats();
  const games = (Object.values(protocols) as readonly Protocol[]).map((protocol) => {
    const [guide = ""] = guides[protocol.name] ?? [];
    const rules = protocol.capabilities?.rules ?? [];
    return [
      `## ${protocol.title}: rules`,
      "",
      ...rules.map((rule) => ruleSection(protocol, rule, guide, cheats.get(`${protocol.name} ${rule}`) ?? [])),
      `## ${protocol.title}: settings`,
      "",
      settingsTable(protocol),
    ].join("\n");
  });
  return [HEAD, ...games].join("\n");
}

interface Remedy {
  readonly cause: string;
  readonly remedy: string;
  /** Arguments of `wirewalk decode` and its input, which is refused with the code. */
  readonly game: string;
  readonly hex: string;
}

/** Each code has one: the type of the table says so. */
export const remedies: Readonly<Record<WireErrorCode, Remedy>> = {
  truncated: {
    cause:
      "The packet was cut, is only the first part of a frame, or belongs to another dialect whose messages are shorter.",
    remedy:
      "Give a whole payload. Over a stream let a channel put frames together: it waits for the rest. `wirewalk inspect` shows which field the end fell into and which dialects fit.",
    game: "slime-online-2 --dialect v0106",
    hex: "02 00 02 C0 01 A0",
  },
  trailing: {
    cause:
      "Two messages were given as one, a frame's length is too long, or the bytes are of a longer variant of the message.",
    remedy:
      "Split frames before reading, and check that the dialect is the one of the client. The number of bytes left says how far off it is.",
    game: "slime-online-2 --dialect v0106",
    hex: "02 00 0A FF FF",
  },
  "unknown-message": {
    cause:
      "The direction or the dialect is wrong, the bytes have a frame or a cipher before the payload, or the client sends a message that is not about movement.",
    remedy:
      "Try `--direction server`, another `--dialect` or `--framed`. A server that gets messages of other kinds reads the id itself and gives the codec only its own.",
    game: "slime-online-2 --dialect v0106",
    hex: "63 00",
  },
  "unknown-variant": {
    cause:
      "A value that selects what follows, such as the code of a key or the type of a fragment, is in no table of the dialect.",
    remedy:
      "Check the dialect. If a real client sends it, the dialect's table lacks it: add it there, with its evidence.",
    game: "slime-online-2 --dialect v0106",
    hex: "02 00 63",
  },
  "bad-value": {
    cause:
      "A field holds a value that its description forbids, such as a coordinate outside of the map or a flag that no client sends.",
    remedy:
      "The path names the field. From a peer: refuse the message, as a server of ours does. In code of yours: the object that you wrote is wrong.",
    game: "scrap-mechanic",
    hex: "1E8F0000303904400040",
  },
  limit: {
    cause: "A count or a length is larger than any client sends: damaged bytes, or an attack on memory.",
    remedy:
      "Refuse it. If your game needs more, the limit is a named constant beside the message; README lists the longest payloads.",
    game: "slime-online-2 --dialect v0106 --framed",
    hex: "FF FF 00",
  },
  "bad-length": {
    cause: "A length contradicts what it measures, or is zero where a message must follow.",
    remedy:
      "Refuse the message. In a stream of frames check where they begin: after a wrong length the place of the next one is unknown.",
    game: "scrap-mechanic",
    hex: "1E 70 00 00 30 39 04 40 00",
  },
  "bad-hex": {
    cause: "A text is not hexadecimal bytes: an odd number of digits, or another character.",
    remedy:
      "Spaces, colons and `0x` are allowed between bytes. `wirewalk inspect` also reads dumps, base64 and literals.",
    game: "slime-online-2",
    hex: "02 0",
  },
  "bad-checksum": {
    cause:
      "A check value does not match: the bytes are damaged, or the keys or the position of a cipher are not those of the sender.",
    remedy:
      "Give the channel the greeting with the keys (`--iv` on the command line), and every frame from the beginning of the connection.",
    game: "maplestory --framed --iv 46727A18",
    hex: "00 00 00 00 26 00",
  },
  "bad-state": {
    cause:
      "The bytes may not come now: before a greeting, after the end, or after an error that lost the place in the stream.",
    remedy: "Open a new channel for each connection, and drop it after an error of the stream.",
    game: "osrs/player-info",
    hex: '{"hex":"80"}',
  },
};

/** The list of a doc comment: `- \`name\`: text.` */
function listed(file: string): ReadonlyMap<string, string> {
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*?\n \* - `[\s\S]*?)\*\//.exec(read(file)) ?? [];
  const items = comment.replace(/\n \* {3}/g, " ").matchAll(/ \* - (`[^:]*`): ([^\n]*)/g);
  return new Map(Array.from(items, ([, names = "", text = ""]): [string, string] => [names, text]));
}

/** Runs a command line with an input; gives what it prints. */
export type Run = (args: readonly string[], input: string) => Promise<string>;

/** `docs/errors.md`. `run` runs the examples. */
export async function errorsPage(run: Run): Promise<string> {
  const meanings = listed("packages/wirewalk/src/wire/wire-error.ts");
  const sections: string[] = [];
  for (const [code, remedy] of Object.entries(remedies)) {
    const meaning = meanings.get(`\`${code}\``);
    if (meaning === undefined) throw new Error(`wire-error.ts does not say what ${code} is`);
    const output = (await run(["decode", ...remedy.game.split(" ")], `${remedy.hex}\n`)).trimEnd();
    if (!output.includes(`"code":"${code}"`)) throw new Error(`The example of ${code} prints ${output}`);
    const input = remedy.hex.startsWith("{") ? `'${remedy.hex}'` : `"${remedy.hex}"`;
    sections.push(
      [
        `### \`${code}\``,
        "",
        `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`,
        "",
        `* **Cause.** ${remedy.cause}`,
        `* **What to do.** ${remedy.remedy}`,
        "",
        "```console",
        `$ echo ${input} | npx wirewalk decode ${remedy.game}`,
        output,
        "```",
        "",
      ].join("\n"),
    );
  }
  const reasons = [...listed("packages/server/src/session/disconnect.ts")].map(
    ([names, text]) => `| ${names} | ${text} |`,
  );
  return `# Errors

For users of the library and of the command: what each error means, why it happens, and what to do.

## Errors of bytes

\`WireError\` is the one error that bytes of a peer can cause. It has a \`code\`, a \`message\` with the place, the \`path\` of the field and the
\`bitOffset\`. \`toJSON()\` gives it as plain data. Wrong arguments of your own code throw \`TypeError\` or \`RangeError\`.

\`\`\`ts
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseHex, WireError } from "wirewalk/wire";

try {
  slimeOnline2.codec("v0106").read("client", parseHex("02 00 02 C0 01 A0"));
} catch (error) {
  if (!(error instanceof WireError)) throw error;
  console.log(error.code, error.path, error.bitOffset); // truncated y 40
}
\`\`\`

The commands print it as JSON with the exit code 3, and go on with the next line.

${sections.join("\n")}
## Why sessions end

Names of reasons in logs, in the metric \`wirewalk_disconnects_total\` and in the close frame of a WebSocket.

| reason | what happened |
| --- | --- |
${reasons.join("\n")}

## Exit codes of the command

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | it could not be done: a file, an address or a server is not there |
| 2 | the command line is wrong; the error says how, and names the nearest known word, or [what a game lacks](concepts.md#games) |
| 3 | some lines were refused; each of them says why |
`;
}
