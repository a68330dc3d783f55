/** Whether codecs in other languages agree with the library: `npm run proof -- languages`. */
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { checkKnown, checkWhole, parseOptions } from "../options.ts";
import { buildSubjects, proveLanguage } from "./prove-language.ts";
import { isInstalled, toolchains } from "./toolchains.ts";

const games = Object.keys(protocols);
const names = Object.keys(languages);

const usage = `npm run proof -- languages [--language LIST] [--game LIST] [--dialect NAME] [--seed N] [--messages N] [--time-limit SECONDS]

Prints codecs in other languages, compiles them with nothing but each compiler, and sends them payloads of bots, payloads made up from
the descriptions, and damaged ones. Each must read the same value (as canonical JSON), write the same bytes, or refuse with the same code,
path and bit offset as the library. A compiler that is not installed is named, and its language is skipped.

  --language LIST       some of these, with commas; default: all of ${names.join(", ")}
  --game LIST           some of these, with commas; default: all of ${games.join(", ")}
  --dialect NAME        one dialect of the games; default: all
  --seed N              default 1
  --messages N          payloads of each dialect, default 1000000
  --time-limit SECONDS  ends each dialect after so long; default: none
  --help                prints this

The exit code is 1 after a difference, 2 for wrong usage.`;

/** Of the bots whose payloads are among the messages. */
const PLAY_MS = 12_000;

/** The command. `args`: what stands behind its subject. */
export async function proveLanguages(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(usage, {
    args: [...args],
    options: {
      language: { type: "string", default: names.join(",") },
      game: { type: "string", default: games.join(",") },
      dialect: { type: "string" },
      seed: { type: "string", default: "1" },
      messages: { type: "string", default: "1000000" },
      "time-limit": { type: "string" },
      help: { type: "boolean" },
    },
  });
  checkWhole(values, ["seed", "messages", ...(values["time-limit"] === undefined ? [] : ["time-limit"])]);
  checkKnown("language", values.language, names);
  checkKnown("game", values.game, games);
  const dialects = Object.values(protocols)
    .filter(({ name }) => values.game.split(",").includes(name))
    .flatMap((protocol) => protocol.dialects.map(({ name: dialect }) => ({ protocol, dialect })))
    .filter(({ dialect }) => values.dialect === undefined || values.dialect === dialect);
  const [seed, messages] = [Number(values.seed), Number(values.messages)];
  const line = ([first = "", ...others]: readonly string[]): string =>
    first.padEnd(46) + others.map((each) => each.padStart(12)).join("");
  console.log(line(["language and dialect", "messages", "read", "refused", "differences", "messages/s"]));
  const skipped: string[] = [];
  let total = 0;
  let differences = 0;
  for (const name of values.language.split(",")) {
    const [language, toolchain] = [languages[name], toolchains[name]];
    if (language === undefined || toolchain === undefined) throw new Error(`${name} has no toolchain in tools/proof`);
    if (!isInstalled(toolchain)) {
      skipped.push(`${name} (no ${toolchain.probe[0]}: Debian has it in ${toolchain.packages})`);
      continue;
    }
    for (const subject of await buildSubjects(language, toolchain, dialects)) {
      const startedMs = performance.now();
      const limitMs =
        values["time-limit"] === undefined ? Number.POSITIVE_INFINITY : Number(values["time-limit"]) * 1000;
      const isOver = (): boolean => performance.now() - startedMs >= limitMs;
      const result = await proveLanguage(toolchain, subject, { seed, messages, playMs: PLAY_MS, isOver });
      const seconds = (performance.now() - startedMs) / 1000;
      const counts = [
        result.messages,
        result.read,
        result.refused,
        result.differences,
        Math.round(result.messages / seconds),
      ];
      console.log(
        line([`${name} ${subject.protocol.name}/${subject.source.dialect.dialect.dialect}`, ...counts.map(String)]),
      );
      for (const example of result.examples) console.log(example.replace(/^/gm, "  "));
      total += result.messages;
      differences += result.differences;
    }
  }
  console.log(`seed ${seed}: ${total} messages, ${differences} differences; skipped: ${skipped.join(", ") || "none"}`);
  process.exitCode = differences === 0 ? 0 : 1;
}
