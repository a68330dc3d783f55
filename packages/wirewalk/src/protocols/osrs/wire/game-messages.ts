/** The messages of the game as one revision has them: opcodes, sizes, and whether opcodes may have two bytes. */
import type { PayloadCodec, Side } from "../../codec.ts";
import type { RevisionTable } from "../../revisions.ts";
import type { BodySizes } from "./framing.ts";
import { revisionCodec } from "./revision-codec.ts";

/** The body of `playerIndex`, ours: the observer's index, which in the real game is in the login. */
const INDEX_BYTES = 2;

/** Opcodes of the messages that every dialect has, by the names of their settings. */
export interface OsrsOpcodes {
  readonly mouseOpcode: number;
  readonly playerIndexOpcode: number;
  readonly playerInfoInitOpcode: number;
  readonly playerInfoOpcode: number;
}

export interface GameMessages {
  /** Undefined for messages of our own demo. */
  readonly table: RevisionTable | undefined;
  readonly opcodes: OsrsOpcodes;
  readonly sizes: Readonly<Record<Side, BodySizes>>;
  codec(dialect: string): PayloadCodec;
}

/** Messages that every table must have, since this library reads them: sender and name, by the name of the setting. */
const required = {
  mouseOpcode: ["client", "EVENT_MOUSE_MOVE"],
  playerInfoOpcode: ["server", "PLAYER_INFO"],
  playerInfoInitOpcode: ["server", "RECONNECT"],
} as const;

/**
 * Names of messages whose bodies the server's cipher hides too. Source: blurite/rsprot, `encryptedPayload`, revisions 221 to 240: it is
 * set for this message alone, and for none of the client.
 */
const hiddenNames: ReadonlySet<string> = new Set(["URL_OPEN"]);

/** The opcodes of a server whose bodies are hidden, by the names of the table. */
export function hiddenBodiesOf(table: RevisionTable): ReadonlySet<number> {
  return new Set([...table.server].filter(([, { name }]) => hiddenNames.has(name)).map(([opcode]) => opcode));
}

/** The opcodes that a table gives; undefined where it has no such message. */
export function tableOpcodes(table: RevisionTable): Readonly<Partial<Record<keyof typeof required, number>>> {
  const opcodes: Partial<Record<keyof typeof required, number>> = {};
  for (const [setting, [sender, name]] of Object.entries(required)) {
    const found = [...table[sender]].find(([, message]) => message.name === name);
    if (found !== undefined) opcodes[setting as keyof typeof required] = found[0];
  }
  return opcodes;
}

/** The sizes of what a side sends. */
export function sizesOfTable(table: RevisionTable, sender: Side): BodySizes {
  return new Map([...table[sender]].map(([opcode, { size }]) => [opcode, size]));
}

/** The messages of a table, and ours. Throws `RangeError` for an opcode of ours that the table has. */
export function messagesOfTable(table: RevisionTable, opcodes: OsrsOpcodes): GameMessages {
  const { playerIndexOpcode } = opcodes;
  const taken = table.server.get(playerIndexOpcode);
  if (taken !== undefined) {
    throw new RangeError(
      `osrs.playerIndexOpcode is ${playerIndexOpcode}, which is ${taken.name} in revision ${table.revision}`,
    );
  }
  const codecs = new Map<string, PayloadCodec>();
  return {
    table,
    opcodes,
    sizes: {
      client: sizesOfTable(table, "client"),
      server: new Map([...sizesOfTable(table, "server"), [playerIndexOpcode, INDEX_BYTES]]),
    },
    codec(dialect) {
      const codec = codecs.get(dialect) ?? revisionCodec({ dialect, table, playerIndexOpcode });
      codecs.set(dialect, codec);
      return codec;
    },
  };
}
