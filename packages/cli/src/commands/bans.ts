import type { Command } from "commander";
import type { CommandContext } from "../context.ts";

export function addBans(_program: Command, _context: CommandContext): void {}
