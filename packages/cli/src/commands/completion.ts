import { type Command, Option } from "commander";
import { completionScripts } from "../completion/completion-scripts.ts";
import { type CompletionSources, completionsOf } from "../completion/completion-words.ts";
import { type CommandContext, UsageError } from "../context.ts";
import { suggest } from "../input/nearest.ts";
import { write } from "../output/output.ts";

/** What completion needs of the program around it. */
export type CompletionProgram = Pick<CompletionSources, "describe" | "protocols">;

/** `wirewalk completion`: scripts for shells. They call it again with `--words` and what was typed. */
export function addCompletion(
  program: Command,
  context: CommandContext,
  { describe, protocols }: CompletionProgram,
): void {
  const shells = Object.keys(completionScripts);
  program
    .command("completion")
    .argument("<shell>", shells.join(", "))
    .addOption(new Option("--words", "the completions of the last of the words behind --").hideHelp())
    .allowExcessArguments()
    .summary("a script that completes command lines in bash, zsh or fish")
    .description(
      "Prints a script for a shell: it completes commands, flags, protocols, dialects, attacks and files by asking this " +
        "command.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ source <(wirewalk completion bash)     # in ~/.bashrc
  $ source <(wirewalk completion zsh)      # in ~/.zshrc, after compinit
  $ wirewalk completion fish | source      # in ~/.config/fish/config.fish

The shell must find wirewalk by that name.`,
    )
    .action(async (shell: string, { words = false }: { readonly words?: boolean }, command: Command) => {
      if (words) {
        await write(context.stdout, await completionLines(command.args, { program, describe, protocols }));
        return;
      }
      const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
      if (script === undefined) throw new UsageError(`unknown shell '${shell}'${suggest(shell, shells)}`);
      await write(context.stdout, script);
    });
}

/** A line for each completion: a word, a tab and its summary, or `:files`. An error shows nothing: it would stand in the line. */
async function completionLines(words: readonly string[], sources: Omit<CompletionSources, "attacks">): Promise<string> {
  const attacks: CompletionSources["attacks"] = async () =>
    (await import("../attacks/catalogue.ts")).catalogue(await sources.protocols());
  try {
    const found = await completionsOf(words, { ...sources, attacks });
    return found.map((each) => ("shell" in each ? `:${each.shell}\n` : `${each.word}\t${each.summary}\n`)).join("");
  } catch (error) {
    if (error instanceof UsageError) return "";
    throw error;
  }
}
