/**
 * The page of a case: what was found and why, the drawing, the message by its fields, and a button that judges again. All texts come from a
 * file that anybody may have edited, so they are only ever put in as text.
 */
import {
  type CaseFile,
  type CaseTexts,
  editedFacts,
  explainVerdict,
  isSigned,
  type Judgement,
  judgeCase,
  mapsOfCase,
  openCase,
  readCaseTexts,
  ruleChanges,
  type VerdictExplanation,
  verdictSvg,
  zstdDecompress,
} from "@wirewalk/recording";
import { figure, type Protocol, quantityText } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";

const decompress = { zstd: zstdDecompress };
/** Rows of a table at most. */
const MAX_ROWS = 200;
/** Messages and findings around the verdict that are seen at once: those nearest to it. */
const MAX_NEAR = 24;
const MOST_AROUND = 5000;

type Child = Node | string | undefined;

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

const heading = (text: string): HTMLElement => element("h2", {}, text);
const paragraph = (text: string, kind = ""): HTMLElement => element("p", kind === "" ? {} : { class: kind }, text);

/** Shows the case of the document. */
export function openCasePage(game: Protocol): void {
  const main = document.getElementById("case");
  if (main === null) return;
  const textOf = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;
  const texts: CaseTexts = {
    facts: textOf("case-facts") ?? "",
    signature: textOf("case-signature"),
    maps: textOf("case-maps"),
    recording: textOf("case-recording"),
    viewer: document.currentScript?.textContent ?? "",
  };
  // The parts are read before anything is shown: a damaged file says so first.
  void readCaseTexts(texts)
    .then(async (file) => {
      main.replaceChildren(...sectionsOf(file, game, await trustOf(file)));
      document.title = `${file.facts.verdict.rule}: ${nameOf(file)}, ${file.facts.title}`;
    })
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      main.replaceChildren(element("h1", {}, "This file cannot be shown"), paragraph(why, "other"));
    });
}

function nameOf({ facts: { player } }: CaseFile): string {
  return player.name === "" ? `player ${player.number}` : player.name;
}

/** Who says what the file says. */
async function trustOf(file: CaseFile): Promise<HTMLElement> {
  const { signature, damage } = file;
  if (damage.length > 0) return paragraph(`This file was changed after it was made: ${damage.join("; ")}.`, "other");
  if (signature === undefined) {
    return paragraph(
      "This file is not signed: anybody could have made it. Judging again shows whether its bytes give its verdict.",
    );
  }
  if (await isSigned(file)) {
    return paragraph(
      `Signed with the key ${signature.key}. Compare it with the key that the server's owner publishes.`,
      "same",
    );
  }
  return paragraph(
    "The signature of this file is wrong: it was changed, or signed with another key than it names.",
    "other",
  );
}

function sectionsOf(file: CaseFile, game: Protocol, trust: HTMLElement): readonly HTMLElement[] {
  const { facts } = file;
  const edited = tried(() => editedFacts(facts, openCase(file, decompress)));
  const explanation = tried(() => explanationOf(file, game));
  return [
    element(
      "h1",
      {},
      `${facts.rule.title}: ${nameOf(file)}, ${kindText(facts.verdict.kind)} by the rule ${facts.verdict.rule}`,
    ),
    trust,
    ...(Array.isArray(edited) && edited.length > 0
      ? [paragraph(`The file contradicts its own recording: ${edited.join("; ")}.`, "other")]
      : []),
    ...storySection(file),
    ...(explanation instanceof Error
      ? [
          heading("The drawing"),
          paragraph(`It cannot be drawn: ${explanation.message}`, "other"),
          judgeSection(file, game),
        ]
      : [
          ...drawing(explanation),
          judgeSection(file, game),
          ...messageSection(explanation),
          ...aroundSection(explanation),
          ...knownSection(explanation),
        ]),
    ...ruleSection(file, game),
    ...aboutSection(file),
  ];
}

/** The story by its questions. A file of an earlier version has none: there each sentence says what it is about. */
function storySection({ facts: { story, questions } }: CaseFile): readonly HTMLElement[] {
  if (questions === undefined) return [element("ol", {}, ...story.map((text) => element("li", {}, text)))];
  return story.flatMap((text, index) => {
    const question = questions[index] ?? "";
    return [...(question === "" ? [] : [heading(question)]), ...text.split("\n").map((line) => paragraph(line))];
  });
}

/** What a function gives, or why it cannot. */
function tried<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function kindText(kind: string): string {
  const texts: Readonly<Record<string, string>> = {
    flag: "noted",
    correct: "corrected",
    reject: "refused",
    benign: "an honest cause",
  };
  return texts[kind] ?? kind;
}

function explanationOf(file: CaseFile, game: Protocol): VerdictExplanation {
  const { facts } = file;
  const maps = mapsOfCase(file.maps, game.capabilities?.maps);
  const { beforeMs, afterMs } = facts;
  return explainVerdict(openCase(file, decompress), facts.verdict.id, {
    protocols: { [game.name]: game },
    maps,
    beforeMs,
    afterMs,
  });
}

function judgeSection(file: CaseFile, game: Protocol): HTMLElement {
  const result = element("div", { "aria-live": "polite" });
  const button = element("button", { type: "button" }, "Judge again");
  button.addEventListener("click", () => {
    const judged = tried(() => judgeCase(file, { protocols: { [game.name]: game }, decompress }));
    result.replaceChildren(
      ...(judged instanceof Error ? [paragraph(judged.message, "other")] : judgementOf(file, judged)),
    );
  });
  return element(
    "section",
    {},
    heading("Judge it again"),
    paragraph("Replays the seconds in this file by the rules in this file. Nothing is sent anywhere."),
    button,
    result,
  );
}

function judgementOf({ facts }: CaseFile, judged: Judgement): readonly HTMLElement[] {
  if (judged.problem !== undefined) return [paragraph(`It cannot be judged again: ${judged.problem}`, "other")];
  const isSame = judged.isFound && judged.digest === facts.digest;
  const words = isSame
    ? "The same verdict, with the same numbers, at the same time."
    : judged.isFound
      ? "The verdict is found again; other findings about the player differ."
      : "The verdict is not found again.";
  return [
    paragraph(words, isSame ? "same" : "other"),
    table(
      "Digests",
      ["verdicts", "digest"],
      [
        ["in the file", facts.digest],
        ["judged now", judged.digest],
      ],
    ),
    // The same findings may come of states that differ in their last digit: browsers compute some functions otherwise.
    ...(judged.difference === undefined || isSame
      ? []
      : [paragraph(`The replay differs: ${judged.difference}`, "other")]),
    table("What the rules find about the player in these seconds", ["rule", "kind", "times"], countsOf(judged)),
  ];
}

/** How often each rule found something. */
function countsOf({ verdicts }: Judgement): readonly (readonly string[])[] {
  const counts = new Map<string, { readonly cells: readonly string[]; times: number }>();
  for (const { rule, kind } of verdicts) {
    const found = counts.get(`${rule} ${kind}`) ?? { cells: [rule, kindText(kind)], times: 0 };
    found.times += 1;
    counts.set(`${rule} ${kind}`, found);
  }
  return Array.from(counts.values(), ({ cells, times }) => [...cells, String(times)]);
}

function drawing(explanation: VerdictExplanation): readonly HTMLElement[] {
  // As an image: nothing in it can run, and its own style holds.
  const source = `data:image/svg+xml,${encodeURIComponent(verdictSvg(explanation))}`;
  const { rule, kind } = explanation;
  return [
    heading("The drawing"),
    element("img", { src: source, alt: `${kind} by ${rule}: claimed and allowed ways`, width: "960" }),
  ];
}

function messageSection({ message }: VerdictExplanation): readonly HTMLElement[] {
  if (message.bytes.length === 0) return [heading("The message"), paragraph("None: the rule looks at time.")];
  const rows = message.fields.slice(0, MAX_ROWS).map(({ path, bitOffset, bitLength, shown }) => {
    const [from, to] = [Math.floor(bitOffset / 8), Math.ceil((bitOffset + bitLength) / 8)];
    return [
      path,
      shown,
      formatHex(message.bytes.subarray(from, to)),
      `${from}${bitOffset % 8 === 0 ? "" : `.${bitOffset % 8}`}`,
    ];
  });
  return [
    heading(`The message${message.name === undefined ? "" : `, ${message.name}`}`),
    element("pre", { tabindex: "0" }, formatHex(message.bytes)),
    table(`${message.bytes.length} bytes by their fields`, ["field", "value", "bytes", "at byte"], rows),
  ];
}

function aroundSection({ claimed, near, window, unit }: VerdictExplanation): readonly HTMLElement[] {
  const entries = [
    ...claimed.map(({ ms, message, places, kind }) => {
      const last = places.at(-1);
      return { ms, cells: [message, last === undefined ? "" : `x ${figure(last.x)}, y ${figure(last.y)}`, kind ?? ""] };
    }),
    ...near.map(({ ms, rule, kind }) => ({ ms, cells: [`verdict: ${rule}`, "", kind] })),
  ].sort((a, b) => a.ms - b.ms);
  const middle = entries.findIndex(({ ms }) => ms >= 0);
  const from = Math.max(0, (middle < 0 ? entries.length : middle) - MAX_NEAR / 2);
  const shown = entries.slice(from, from + MAX_NEAR);
  const rows = (some: typeof entries): readonly (readonly string[])[] => {
    return some.map(({ ms, cells }) => [`${ms >= 0 ? "+" : ""}${(ms / 1000).toFixed(3)}`, ...cells]);
  };
  const heads = ["second", "message", unit === undefined ? "place" : `place, ${unit}`, "finding"];
  const seconds = `${-window.fromMs / 1000} s before to ${window.toMs / 1000} s after`;
  return [
    heading("Around it"),
    table("Messages of the player nearest to it, and what rules found in them", heads, rows(shown)),
    ...(entries.length <= shown.length
      ? []
      : [
          element(
            "details",
            {},
            element("summary", {}, `All ${entries.length} from ${seconds}`),
            table(`From ${seconds}`, heads, rows(entries.slice(0, MOST_AROUND))),
          ),
        ]),
  ];
}

function knownSection({ known, stateBefore }: VerdictExplanation): readonly HTMLElement[] {
  const rows = Object.entries(stateBefore)
    .slice(0, MAX_ROWS)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  if (rows.length === 0) return [];
  return [
    heading("What the server knew"),
    ...(known.length === 0
      ? []
      : [
          table(
            "Before the message",
            ["what", "was"],
            known.map(({ name, value }) => [name, value]),
          ),
        ]),
    element(
      "details",
      {},
      element("summary", {}, "By the names of the program, for researchers"),
      table("State that the rule read", ["name", "value"], rows),
    ),
  ];
}

function ruleSection({ facts }: CaseFile, game: Protocol): readonly HTMLElement[] {
  const changes = ruleChanges(facts, game);
  const rows = facts.limits.map(({ name, value, own, unit, summary }) => [
    summary.replaceAll("`", ""),
    quantityText(value, unit, own),
    quantityText(own, unit, value),
    name,
  ]);
  return [
    heading("The rule"),
    ...(facts.rule.finds === ""
      ? []
      : [paragraph(`${facts.rule.finds}. Answer: ${facts.rule.answer}.`.replaceAll("`", ""))]),
    ...(rows.length === 0
      ? []
      : [table("Its limits, as they were", ["limit", "in force", "the game's own", "its name in settings"], rows)]),
    ...changes.map(({ name, before, now }) =>
      paragraph(`${name} was: ${before}; the rules in this file say: ${now}`, "other"),
    ),
  ];
}

function aboutSection({ facts, recording, maps }: CaseFile): readonly HTMLElement[] {
  const others =
    facts.others === "pseudonyms"
      ? "Other players have pseudonyms, and their chat and looks are left out."
      : "Other players have their own names.";
  return [
    heading("About this file"),
    paragraph(
      `Made by wirewalk ${facts.library} on ${facts.made}. Verdict ${facts.verdict.id}, dialect ${facts.dialect}, room ${facts.room}. ${others}`,
    ),
    paragraph(
      `It holds a recording of ${recording.length.toLocaleString("en-US")} bytes${maps === undefined ? "" : " and the places that it needs"}. wirewalk verdict check judges it by the rules of today.`,
    ),
  ];
}

function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))),
  );
}
