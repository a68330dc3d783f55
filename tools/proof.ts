/**
 * Whether all readers and writers of the same descriptions agree: `npm run proof -- codecs`. The dialects are shared out to threads.
 * The other subjects have a file each: `proof/languages.ts`, `proof/cases.ts` and `proof/relay-policies.ts`.
 */
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { protocols } from "wirewalk/protocols";
import { type ProofResult, proveDialect } from "../packages/wirewalk/src/protocols/testing/prove-dialect.ts";
import { checkKnown, checkWhole, parseOptions } from "./options.ts";
import { proveCases } from "./proof/cases.ts";
import { proveLanguages } from "./proof/languages.ts";
import { proveRelayPolicies } from "./proof/relay-policies.ts";

const dialects = Object.values(protocols).flatMap(({ name, dialects: own }) =>
  own.map((each) => `${name}/${each.name}`),
);

const usage = `npm run proof -- codecs [--seed N] [--messages N] [--dialect GAME/DIALECT] [--time-limit SECONDS]
npm run proof -- languages: codecs in other languages; --help behind it says more
npm run proof -- cases: verdicts as files, in a browser without network
npm run proof -- relay-policies: policies of a relay before our own servers

Reads and writes messages of every dialect by the oracle of the tests, by the interpreter and by the generated code: payloads of
bots, payloads made up from the descriptions, damaged ones, and values with wrong parts. All three must have the same value with its
keys in the same order, or the same error at the same path and bit, and must write the same bytes.

  --seed N              default 1
  --messages N          payloads of each dialect, default 1000000
  --dialect LIST        some of these, with commas; default: all of
                        ${dialects.join(", ")}
  --time-limit SECONDS  ends the run after so long; the table then has what was done. Default: none
  --help                prints this

Prints a table of the dialects, and the first differences of each with the payload and what each reader says. The exit code is 1
after a difference, 2 for wrong usage.`;

/** Of the bots whose payloads are among the messages. */
const PLAY_MS = 12_000;

/** What a thread is given, and what it answers for each dialect. */
interface Work {
  readonly seed: number;
  readonly messages: number;
  readonly endMs: number | undefined;
}
interface Done {
  readonly dialect: string;
  readonly result: ProofResult;
  readonly seconds: number;
}

/** A thread: proves one dialect after another, as it is asked to. */
function serve({ seed, messages, endMs }: Work): void {
  const isOver = (): boolean => endMs !== undefined && Date.now() >= endMs;
  parentPort?.on("message", (dialect: string) => {
    const [game = "", name = ""] = dialect.split("/");
    const protocol = protocols[game];
    if (protocol === undefined) throw new RangeError(`There is no game ${game}`);
    const startedMs = performance.now();
    const result = proveDialect(protocol, name, { seed, messages, playMs: PLAY_MS, isOver });
    const done: Done = { dialect, result, seconds: (performance.now() - startedMs) / 1000 };
    parentPort?.postMessage(done);
  });
}

/** All dialects, on as many threads as there are cores. */
async function proveAll(chosen: readonly string[], work: Work, report: (done: Done) => void): Promise<void> {
  const waiting = [...chosen];
  const threads = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, () => {
    const thread = new Worker(new URL(import.meta.url), { workerData: work });
    return new Promise<void>((resolve, reject) => {
      const next = (): void => {
        const dialect = waiting.shift();
        if (dialect !== undefined) thread.postMessage(dialect);
        else void thread.terminate().then(() => resolve(), reject);
      };
      thread.on("error", reject);
      thread.on("message", (done: Done) => {
        report(done);
        next();
      });
      next();
    });
  });
  await Promise.all(threads);
}

async function main(): Promise<void> {
  const { values, positionals } = parseOptions(usage, {
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      messages: { type: "string", default: "1000000" },
      dialect: { type: "string", default: dialects.join(",") },
      "time-limit": { type: "string" },
      help: { type: "boolean" },
    },
  });
  const [subject, ...more] = positionals;
  if (subject !== "codecs" || more.length > 0) {
    console.error(
      `proof takes one subject, codecs, languages, cases or relay-policies, got ${positionals.join(" ") || "none"}`,
    );
    console.error(usage);
    process.exit(2);
  }
  checkWhole(values, ["seed", "messages", ...(values["time-limit"] === undefined ? [] : ["time-limit"])]);
  checkKnown("dialect", values.dialect, dialects);

  const [seed, messages] = [Number(values.seed), Number(values.messages)];
  const startedMs = Date.now();
  const limit = values["time-limit"];
  const work: Work = { seed, messages, endMs: limit === undefined ? undefined : startedMs + Number(limit) * 1000 };
  const columns = ["dialect", "messages", "read", "refused", "written", "differences", "messages/s"];
  const line = ([first = "", ...others]: readonly string[]): string =>
    first.padEnd(38) + others.map((each) => each.padStart(12)).join("");
  console.log(line(columns));
  let differences = 0;
  let total = 0;
  await proveAll(values.dialect.split(","), work, ({ dialect, result, seconds }) => {
    const numbers = [result.messages, result.read, result.refused, result.written, result.differences];
    console.log(line([dialect, ...[...numbers, Math.round(result.messages / seconds)].map(String)]));
    if (result.messages < messages) console.log(`  ended by the time limit, before ${messages} messages`);
    for (const example of result.examples) console.log(example.replace(/^/gm, "  "));
    differences += result.differences;
    total += result.messages;
  });
  const seconds = (Date.now() - startedMs) / 1000;
  console.log(`seed ${seed}: ${total} messages, ${differences} differences, ${seconds.toFixed(0)} s`);
  process.exitCode = differences === 0 ? 0 : 1;
}

const [, , subject, ...others] = process.argv;
if (isMainThread && subject === "languages") await proveLanguages(others);
else if (isMainThread && subject === "cases") await proveCases(others);
else if (isMainThread && subject === "relay-policies") await proveRelayPolicies(others);
else if (isMainThread) await main();
else serve(workerData as Work);
