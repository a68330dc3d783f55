/**
 * The members that a game may leave out: what needs one asks for it here, so that the answer to a game without it is the
 * same sentence everywhere.
 *
 * ```ts
 * import { hasMembers, requireMembers } from "wirewalk/protocol";
 *
 * hasMembers(pebble, ["openChannel"]); // => false
 * requireMembers(pebble, ["createWorld"], "be served"); // throws MissingMemberError: pebble has no world (createWorld): it cannot be served
 * ```
 *
 * @module
 */
import type { WireMessage } from "./codec.ts";
import type { PlayMember, Protocol, ProtocolWith } from "./protocol.ts";

const words: Readonly<Record<PlayMember, string>> = {
  defaultPort: "port",
  openChannel: "channel",
  createWorld: "world",
  bots: "bots",
};

/** A game lacks members that something needs. The message names the game, the members, and what cannot be done. */
export class MissingMemberError extends TypeError {
  override readonly name = "MissingMemberError";
  readonly members: readonly PlayMember[];

  /** `purpose` follows "it cannot": `be served`. */
  constructor(game: string, members: readonly PlayMember[], purpose: string) {
    super(`${lackOf(game, members)}: it cannot ${purpose}`);
    this.members = members;
  }
}

/** `pebble has no channel (openChannel) and no world (createWorld)`. */
function lackOf(game: string, members: readonly PlayMember[]): string {
  const lacks = members.map((member) => `no ${words[member]} (${member})`);
  const last = lacks.pop();
  return `${game} has ${lacks.length === 0 ? last : `${lacks.join(", ")} and ${last}`}`;
}

/** Which of these members the game lacks, as words for people; undefined when it has all. */
export function missingMembers(protocol: Protocol, members: readonly PlayMember[]): string | undefined {
  const missing = members.filter((member) => protocol[member] === undefined);
  return missing.length === 0 ? undefined : lackOf(protocol.name, missing);
}

/** Whether the game has all of these members. */
export function hasMembers<C extends WireMessage, S extends WireMessage, M extends PlayMember>(
  protocol: Protocol<C, S>,
  members: readonly M[],
): protocol is ProtocolWith<M, C, S> {
  return members.every((member) => protocol[member] !== undefined);
}

/** The game itself, which has all of these members. Throws {@link MissingMemberError}; `purpose` follows "it cannot". */
export function requireMembers<C extends WireMessage, S extends WireMessage, M extends PlayMember>(
  protocol: Protocol<C, S>,
  members: readonly M[],
  purpose: string,
): ProtocolWith<M, C, S> {
  if (hasMembers(protocol, members)) return protocol;
  const missing = members.filter((member) => protocol[member] === undefined);
  throw new MissingMemberError(protocol.name, missing, purpose);
}
