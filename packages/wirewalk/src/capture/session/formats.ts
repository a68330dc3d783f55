/** The formats of other tools' sessions that are read. */
import type { SessionFormat } from "./session.ts";

export const sessionFormats: readonly SessionFormat[] = [];

/** The format of a file that begins so; where several fit, the one whose ending the file's name has. */
export function sessionFormatOf(start: Uint8Array, name = ""): SessionFormat | undefined {
  const fitting = sessionFormats.filter((format) => format.recognises(start));
  return fitting.find(({ endings }) => endings.some((ending) => name.toLowerCase().endsWith(ending))) ?? fitting[0];
}
