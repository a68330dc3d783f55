import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { Finish } from "../program.ts";

export function addServe(_program: Command, _context: CommandContext, _finish: Finish): void {}
