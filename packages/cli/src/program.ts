import { Command, CommanderError } from "commander";
import { addAccounts } from "./commands/accounts.ts";
import { addAttack } from "./commands/attack.ts";
import { addBans } from "./commands/bans.ts";
import { addBots } from "./commands/bots.ts";
import { addDecode, addEncode } from "./commands/convert.ts";
import { addInspect } from "./commands/inspect.ts";
import { addProtocols } from "./commands/protocols.ts";
import { addServe } from "./commands/serve.ts";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "./context.ts";
import { suggest } from "./nearest.ts";

/**
 * The command line as a commander program. `args` are read beforehand: the flags of `decode`, `encode` and `inspect` depend
 * on the protocol that they name.
 */
export function buildProgram(context: CommandContext, args: readonly string[], finish: Finish): Command {
  const program = new Command("wirewalk")
    .description("Read, write, check and serve player movement over the wire protocols of real games.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(`wirewalk: ${toSentence(text)}\n`),
    })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      "after",
      `
Examples:
  $ echo "00 08 02 C0 01 A0 00" | wirewalk decode slime-online-2
  $ wirewalk inspect slime-online-2 00 08 02 C0 01 A0 00
  $ wirewalk serve --bots 24

Exit codes: 0 done, 1 a server, port or file failed, 2 wrong usage, 3 a line or message was refused.`,
    );

  program.commandsGroup("Packets:");
  addDecode(program, context, args, finish);
  addEncode(program, context, args, finish);
  addInspect(program, context, args, finish);
  addProtocols(program, context);
  program.commandsGroup("Play:");
  addServe(program, context);
  addBots(program, context);
  addBans(program, context);
  addAccounts(program, context);
  addAttack(program, context, finish);
  program.addHelpCommand(
    new Command("help").argument("[command]").description("print the help of a command").helpGroup("Help:"),
  );
  return program;
}

/** Runs one command line to its end and gives its exit code. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode: number = ExitCode.ok;
  const program = buildProgram(context, args, (code) => {
    exitCode = code;
  });
  try {
    checkHelp(program, args);
    // Without a command it prints the help.
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    if (error instanceof UsageError || error instanceof FailedError) {
      context.stderr.write(`wirewalk: ${error.message}\n`);
      return error instanceof UsageError ? ExitCode.usage : ExitCode.failed;
    }
    throw error;
  }
}

/** Commander answers `help` of an unknown command with the general help, without naming the error. */
function checkHelp(program: Command, [command, name]: readonly string[]): void {
  if (command !== "help" || name === undefined || name.startsWith("-")) return;
  const known = [...program.commands.map((each) => each.name()), "help"];
  if (!known.includes(name)) throw new UsageError(`unknown command '${name}'${suggest(name, known)}`);
}

/** Commander's `error: unknown option '--x'` and its suggestion on a second line as one sentence. */
function toSentence(text: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const hint = rest.join(" ").replace(/^\(Did you mean (.*)\?\)$/, "did you mean $1?");
  const sentence = first.replace(/^error: /, "").replace(/\.$/, "");
  return hint === "" ? sentence : `${sentence}; ${hint}`;
}
