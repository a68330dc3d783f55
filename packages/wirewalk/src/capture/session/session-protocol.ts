/** Which game a session is of. */
import type { Protocol } from "../../protocols/index.ts";
import type { SessionHeader } from "./session.ts";

export interface SessionProtocolOptions {
  /** The games by name: those of `wirewalk/protocols`, and others. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** In place of what the file says. */
  readonly dialect?: string | undefined;
}

/** The game of a session with the settings of its file. Throws `RangeError` with the reason. */
export function sessionProtocol(
  { protocol: name, dialect: ofFile, settings }: SessionHeader,
  { protocols, dialect = ofFile }: SessionProtocolOptions,
): { readonly protocol: Protocol; readonly dialect: string } {
  const game = protocols[name];
  if (game === undefined) throw new RangeError(`Cannot read the session: unknown protocol ${name}`);
  const known = game.dialects.map((each) => each.name);
  if (dialect === undefined) {
    throw new RangeError(`Cannot read the session: ${name} has no dialect of its build, only ${known.join(", ")}`);
  }
  if (!known.includes(dialect)) {
    throw new RangeError(`Cannot read the session: ${name} has no dialect ${dialect}, only ${known.join(", ")}`);
  }
  const isPlain = Object.keys(settings).length === 0;
  return { protocol: isPlain ? game : (game.capabilities?.settings?.configure(settings) ?? game), dialect };
}
