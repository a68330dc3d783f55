import type { Command } from "commander";
import { worldEngine } from "wirewalk/inspect";
import { hasMembers, type LineEngine, type LineEngineKind, type Protocol, requireMembers } from "wirewalk/protocol";
import { escapeControls, type JsonObject, WireError } from "wirewalk/wire";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { type InputLine, LINE_LIMIT, LineSplitter } from "../input/line-splitter.ts";
import { addMapsFlag, chooseMaps, type MapsFlags } from "../input/maps.ts";
import { suggest } from "../input/nearest.ts";
import { addOptionFlags, optionValues } from "../input/stream-flags.ts";
import { chooseDialect, dialectHelp } from "../input/streams.ts";
import { write } from "../output/output.ts";

interface NamedEngine {
  /** `osrs/player-info`; the world of a game has the game's name. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly kind: LineEngineKind;
}

/** All engines of all games. */
function enginesOf({ protocols }: CommandContext): readonly NamedEngine[] {
  return Object.values(protocols).flatMap((protocol) => [
    ...(hasMembers(protocol, ["createWorld"]) ? [{ name: protocol.name, protocol, kind: worldEngine(protocol) }] : []),
    ...Object.entries(protocol.capabilities?.engines ?? {}).map(([part, kind]) => {
      return { name: `${protocol.name}/${part}`, protocol, kind };
    }),
  ]);
}

/** `wirewalk engine`: a world or an engine over standard streams, for servers in other languages. */
export function addEngine(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  const engines = enginesOf(context);
  const named = engines.find((each) => args.includes(each.name));
  const command = program
    .command("engine")
    .argument("<engine>", engines.map(({ name }) => name).join(", "))
    .option(
      "--dialect <name>",
      `dialect of the protocol (${named === undefined ? "see wirewalk protocols" : dialectHelp(named.protocol)})`,
    );
  addMapsFlag(command, "the places of the world");
  if (named === undefined) command.allowUnknownOption().allowExcessArguments();
  else {
    command.optionsGroup(`Options of ${named.name}:`);
    addOptionFlags(command, named.kind.options);
  }
  command
    .summary("an engine for servers in other languages, JSON lines in and out")
    .description(
      "Runs an engine over the standard streams, for a server in another language. Each line of the input is an object of " +
        'commands, and is answered with one line: {"ok":true,…} with what they gave, or "ok":false with "line" and "errors": what was ' +
        "refused, by path and reason. What is refused changes nothing. The end of the input ends the engine.",
    )
    .addHelpText(
      "after",
      `${named === undefined ? "" : `\n${named.name}: ${named.kind.summary}\n`}
Examples:
  $ echo '{"add":[[5,0,3200,3201]],"observe":[5],"tick":true}' | wirewalk engine osrs/player-info
  $ echo '{"now":0,"join":[{"player":1,"account":"ann","name":"Ann"}]}' | wirewalk engine maplestory --demo
  $ wirewalk engine maplestory --dialect v83 --maps server/wz < commands.jsonl

Exit code 3 when something was refused.`,
    )
    .action(async (name: string, _flags: object, called: Command) => {
      const chosen = engines.find((each) => each.name === name);
      if (chosen === undefined) {
        const game = Object.values(context.protocols).find((each) => each.name === name);
        if (game !== undefined) requireMembers(game, ["createWorld"], "be run as an engine");
        throw new UsageError(
          `unknown engine '${name}'${suggest(
            name,
            engines.map((each) => each.name),
          )}`,
        );
      }
      const { dialect, ...flags } = called.opts<{ readonly dialect?: string; readonly demo?: true } & MapsFlags>();
      const options = optionValues(called, chosen.kind.options);
      if (flags.maps !== undefined && flags.demo === true) throw new UsageError("--maps and --demo do not go together");
      const maps = chooseMaps(context, chosen.protocol, flags);
      const setup = {
        dialect: chooseDialect(chosen.protocol, dialect),
        options,
        ...(maps === undefined ? {} : { maps }),
      };
      const engine = open(() => chosen.kind.open(setup));
      if (await run(context, engine)) finish(ExitCode.refused);
    });
}

/** Refused options are an invalid command line. */
function open(work: () => LineEngine): LineEngine {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Answers line by line, in constant memory. True when something was refused. */
async function run(context: CommandContext, engine: LineEngine): Promise<boolean> {
  const splitter = new LineSplitter();
  let isRefused = false;
  let number = 0;
  const answer = (line: InputLine): string => {
    number++;
    if (line?.trim() === "") return "";
    const { given, errors } = answerTo(engine, line);
    if (errors.length === 0) return `${JSON.stringify({ ok: true, ...given })}\n`;
    isRefused = true;
    return `${JSON.stringify({ ok: false, line: number, errors, ...given })}\n`;
  };
  for await (const chunk of context.stdin) {
    // A line at a time: a server waits for the answer to its tick.
    for (const line of splitter.push(chunk)) await write(context.stdout, answer(line));
  }
  for (const line of splitter.end()) await write(context.stdout, answer(line));
  return isRefused;
}

function answerTo(engine: LineEngine, line: InputLine): ReturnType<LineEngine["take"]> {
  const refused = (message: string): ReturnType<LineEngine["take"]> => ({ given: {}, errors: [{ path: "", message }] });
  if (line === undefined) return refused(`the line is over the limit of ${LINE_LIMIT} characters`);
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return refused(`not JSON: ${escapeControls(error instanceof Error ? error.message : String(error))}`);
  }
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  return isObject ? engine.take(json as JsonObject) : refused("a line holds one object");
}
