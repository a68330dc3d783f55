/** Whether codecs in other languages agree with the library: `npm run proof -- languages`. */
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { passesLanguages } from "../../packages/wirewalk/src/export/player-info/player-info.ts";
import { knownRevisions } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { checkKnown, checkWhole, parseOptions } from "../options.ts";
import { type FuzzResult, fuzzLanguage } from "./fuzz-language.ts";
import { buildSubjects, type Contestant, type LanguageResult, proveTogether } from "./prove-language.ts";
import { buildPlayerInfo, type PlayerInfoResult, type PlayerInfoSubject, playTogether } from "./prove-player-info.ts";
import { isInstalled, type Toolchain, toolchains } from "./toolchains.ts";

const games = Object.keys(protocols);
const names = Object.keys(languages);

/** The most memory of a program that is fuzzed. */
const MAX_FUZZED_MB = 512;

const usage = `npm run proof -- languages [--language LIST] [--game LIST] [--dialect NAME] [--seed N] [--messages N] [--ticks N] [--time-limit SECONDS]
    [--fuzz]

Prints codecs in other languages, compiles them with nothing but each compiler, and sends them payloads of bots, payloads made up from
the descriptions, and damaged ones. Each must read the same value (as canonical JSON), write the same bytes, or refuse with the same code,
path and bit offset as the library. Languages with player info (with the game osrs) play random worlds of up to 2047 players: their encoder
must write the packets of the library, their decoder read and refuse what it does, damaged packets among them. Each payload is made up once
for all languages. A compiler that is not installed is named, and its language is skipped.

  --language LIST       some of these, with commas; default: all of ${names.join(", ")}
  --game LIST           some of these, with commas; default: all of ${games.join(", ")}
  --dialect NAME        one dialect of the games; default: all
  --seed N              default 1
  --messages N          payloads of each dialect, default 1000000; a tenth of them where the language is not compiled
  --ticks N             of player info in each of its dialects, default 10000; every revision reads the vectors of mask blocks; 0: no player info
  --time-limit SECONDS  ends each dialect after so long; default: none
  --fuzz                does not compare, but damages payloads again and again, and keeps those with a new kind of answer to damage them
                        further: a program must neither end nor fail in any other way than by refusing, with memory within ${MAX_FUZZED_MB} MB; default of --time-limit then: 60
  --help                prints this

The exit code is 1 after a difference, 2 for wrong usage.`;

/** Of the bots whose payloads are among the messages. */
const PLAY_MS = 12_000;

/** Revisions and dialects of player info that play: the one whose client was read, and a later one in the other dialect. */
const played: Readonly<Record<string, string>> = { "206": "client", "240": "documented" };
/** The others read vectors alone. */
const playerInfoKinds = knownRevisions.map((revision) => ({ revision, dialect: played[revision.name] ?? "client" }));

function resultText({ ticks, written, read, refused, differences, encodeMs, decodeMs }: PlayerInfoResult): string {
  const packets = read + refused;
  const perTick = [encodeMs.here, encodeMs.there].map((ms) => (ms / Math.max(1, ticks)).toFixed(2));
  const perPacket = [decodeMs.here, decodeMs.there].map((ms) => ((ms * 1000) / Math.max(1, packets)).toFixed(0));
  return [
    `${ticks} ticks, ${written} packets written, ${read} read, ${refused} refused, ${differences} differences`,
    `${perTick[1]} ms per tick (library ${perTick[0]})`,
    `${perPacket[1]} us per packet read (library ${perPacket[0]})`,
  ].join("; ");
}

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
      ticks: { type: "string", default: "10000" },
      "time-limit": { type: "string" },
      fuzz: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  checkWhole(values, ["seed", "messages", "ticks", ...(values["time-limit"] === undefined ? [] : ["time-limit"])]);
  checkKnown("language", values.language, names);
  checkKnown("game", values.game, games);
  const dialects = Object.values(protocols)
    .filter(({ name }) => values.game.split(",").includes(name))
    .flatMap((protocol) => protocol.dialects.map(({ name: dialect }) => ({ protocol, dialect })))
    .filter(({ dialect }) => values.dialect === undefined || values.dialect === dialect);
  const [seed, messages] = [Number(values.seed), Number(values.messages)];
  const line = ([first = "", ...others]: readonly string[]): string =>
    first.padEnd(46) + others.map((each) => each.padStart(12)).join("");
  const counted = values.fuzz ? ["failures", "kinds", "peak MB"] : ["differences"];
  console.log(line(["language and dialect", "messages", "read", "refused", ...counted, "messages/s"]));
  const limitMs = Number(values["time-limit"] ?? (values.fuzz ? 60 : Number.POSITIVE_INFINITY)) * 1000;
  const until = (startedMs: number) => (): boolean => performance.now() - startedMs >= limitMs;
  const chosen = values.language.split(",").map((name) => {
    const [language, toolchain] = [languages[name], toolchains[name]];
    if (language === undefined || toolchain === undefined) throw new Error(`${name} has no toolchain in tools/proof`);
    return { language, toolchain };
  });
  const [installed, skipped] = [true, false].map((is) => chosen.filter((each) => isInstalled(each.toolchain) === is));
  let total = 0;
  let differences = 0;
  const report = (name: string, result: Counted, seconds: number, wrong: readonly [number, ...number[]]): void => {
    const counts = [result.messages, result.read, result.refused, ...wrong, Math.round(result.messages / seconds)];
    console.log(line([name, ...counts.map(String)]));
    for (const example of result.examples) console.log(example.replace(/^/gm, "  "));
    total += result.messages;
    differences += wrong[0];
  };
  for (const each of dialects) {
    const contestants: Contestant[] = [];
    for (const { language, toolchain } of installed ?? []) {
      const [subject] = await buildSubjects(language, toolchain, [each]);
      if (subject !== undefined) contestants.push({ toolchain, subject });
    }
    const nameOf = ({ toolchain }: Contestant): string => `${toolchain.language} ${each.protocol.name}/${each.dialect}`;
    if (values.fuzz) {
      for (const contestant of contestants) {
        const startedMs = performance.now();
        const result = await fuzzLanguage(contestant.toolchain, contestant.subject, {
          seed,
          playMs: PLAY_MS,
          isOver: until(startedMs),
        });
        const megabytes = Math.ceil((result.peakBytes ?? 0) / 2 ** 20);
        // Too much memory is a failure, too.
        const failures = result.failures + (megabytes > MAX_FUZZED_MB ? 1 : 0);
        report(nameOf(contestant), result, (performance.now() - startedMs) / 1000, [failures, result.kinds, megabytes]);
      }
      continue;
    }
    for (const isCompiled of [true, false]) {
      const own = contestants.filter(({ toolchain }) => toolchain.isCompiled === isCompiled);
      const startedMs = performance.now();
      const count = isCompiled ? messages : Math.ceil(messages / 10);
      const options = { seed, messages: count, playMs: PLAY_MS, isOver: until(startedMs) };
      const results = await proveTogether(own, options);
      const seconds = (performance.now() - startedMs) / 1000;
      for (const [at, contestant] of own.entries()) {
        const result = results[at];
        if (result !== undefined) report(nameOf(contestant), result, seconds, [result.differences]);
      }
    }
  }
  if (!values.fuzz && values.game.split(",").includes("osrs") && values.ticks !== "0")
    for (const kind of playerInfoKinds.filter(({ dialect }) => (values.dialect ?? dialect) === dialect)) {
      const contestants: { readonly toolchain: Toolchain; readonly subject: PlayerInfoSubject }[] = [];
      for (const { language, toolchain } of installed ?? []) {
        const passes = passesLanguages[language.name];
        if (passes === undefined) continue;
        const [subject] = await buildPlayerInfo(language, passes, toolchain, [kind]);
        if (subject !== undefined) contestants.push({ toolchain, subject });
      }
      const ticks = kind.revision.name in played ? Number(values.ticks) : 0;
      const results = await playTogether(contestants, { seed, ticks, isOver: until(performance.now()) });
      for (const [at, { toolchain }] of contestants.entries()) {
        const result = results[at];
        if (result === undefined) continue;
        const name = `${toolchain.language} osrs/player-info, revision ${kind.revision.name}, dialect ${kind.dialect}`;
        console.log(`${name}: ${resultText(result)}`);
        for (const example of result.examples) console.log(example.replace(/^/gm, "  "));
        total += result.written + result.read + result.refused;
        differences += result.differences;
      }
    }
  const found = `${differences} ${values.fuzz ? "failures" : "differences"}`;
  const missing = (skipped ?? []).map(
    ({ language, toolchain }) => `${language.name} (no ${toolchain.probe[0]}: Debian has it in ${toolchain.packages})`,
  );
  console.log(`seed ${seed}: ${total} messages, ${found}; skipped: ${missing.join(", ") || "none"}`);
  process.exitCode = differences === 0 ? 0 : 1;
}

type Counted = Pick<FuzzResult | LanguageResult, "messages" | "read" | "refused" | "examples">;
