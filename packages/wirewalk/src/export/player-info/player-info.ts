/**
 * Player info of a revision in those languages that have its passes: a client's decoder, a server's encoder and the mask blocks.
 *
 * @module
 */
import type { Language } from "../../compile/language.ts";
import { typedDialect } from "../../compile/typed/program.ts";
import { PlayerInfoDecoder } from "../../protocols/osrs/player-info/wire/decoder.ts";
import { playerInfoDialect, playerInfoDialectIn } from "../../protocols/osrs/player-info/wire/dialect.ts";
import { PlayerInfoEngine } from "../../protocols/osrs/player-info/wire/engine/engine.ts";
import type { MaskRevision } from "../../protocols/osrs/player-info/wire/masks/mask-revision.ts";
import { namedRevisions } from "../../protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { PlayerInfoError } from "../../protocols/osrs/player-info/wire/player-info-error.ts";
import { ExportError, type ExportedFile, type ExportScope } from "../format.ts";
import { javaPasses } from "./java.ts";
import {
  blocksNode,
  type PacketVector,
  type PassesLanguage,
  type PassesVector,
  type PlayerInfoSource,
} from "./passes.ts";
import { rustPasses } from "./rust.ts";

/** The stream of the protocol that languages have passes for. */
export const PASSES_STREAM = "player-info";

/** The languages that have the passes: one line each. */
export const passesLanguages: Readonly<Record<string, PassesLanguage>> = Object.freeze({
  java: javaPasses,
  rust: rustPasses,
});

/** What a language prints for a revision and a dialect. */
export function playerInfoSource(
  language: Language,
  { reserved }: PassesLanguage,
  {
    revision,
    dialect,
    header,
  }: { readonly revision: MaskRevision; readonly dialect: string; readonly header: readonly string[] },
): PlayerInfoSource {
  return {
    game: "osrs-player-info",
    dialect: typedDialect(blocksNode(revision), [...language.reserved, ...reserved]),
    header,
    revision,
    passes: playerInfoDialect(playerInfoDialectIn(dialect)),
  };
}

/** The codec of a revision in a language, and its test. Throws {@link ExportError} for a scope that it does not have. */
export function playerInfoFiles(
  language: Language,
  { protocol, stream, dialects, revision: name }: ExportScope,
  headerOf: (dialect: string) => readonly string[],
): readonly ExportedFile[] {
  const passes = passesLanguages[language.name];
  if (passes === undefined || protocol.name !== "osrs" || stream !== PASSES_STREAM) {
    const those = Object.keys(passesLanguages).join(" and ");
    throw new ExportError(`${language.name} has no ${protocol.name}/${stream}: ${those} have osrs/${PASSES_STREAM}`);
  }
  const revision = revisionOf(name);
  return dialects.flatMap((dialect) => {
    const source = playerInfoSource(language, passes, { revision, dialect, header: headerOf(dialect) });
    return [passes.codec(source), passes.test(source, vectorsOf(source))];
  });
}

function revisionOf(name: string | undefined): MaskRevision {
  const known = Object.values(namedRevisions).filter(({ unread }) => unread !== true);
  const found = known.find((revision) => revision.name === name);
  if (found !== undefined) return found;
  const names = known.map((revision) => revision.name).join(", ");
  throw new ExportError(
    `osrs/${PASSES_STREAM} needs --revision, one of ${names}${name === undefined ? "" : `; got ${name}`}`,
  );
}

/** Packets of a walk, each once whole and once damaged. */
function vectorsOf({ revision, passes }: PlayerInfoSource): readonly PassesVector[] {
  const [index, x, z] = [5, 8189, 3201];
  const engine = new PlayerInfoEngine({ dialect: passes.name, revision, core: "javascript" });
  const decoder = new PlayerInfoDecoder({ dialect: passes.name, revision });
  engine.add(index, { level: 0, x, z });
  decoder.init(engine.observe(index), index);
  const packets: PacketVector[] = [];
  const read = (packet: Uint8Array): void => {
    packets.push({ packet, outcome: outcomeOf(decoder, index, packet) });
  };
  for (let tick = 0; tick < 6; tick++) {
    if (tick === 1) engine.add(9, { level: 0, x: 8193, z: 3205 });
    if (tick === 4) engine.remove(9);
    engine.move(index, x + tick, z + (tick >> 1));
    if (tick === 3) engine.teleport(index, { level: 1, x: 4000, z: 4000 });
    else if (engine.has(9)) engine.move(9, 8193 + tick * 2, 3205);
    engine.tick();
    const packet = engine.packet(index).slice();
    read(packet.subarray(0, packet.length - 1));
    read(Uint8Array.of(...packet, 0));
    read(packet.map((byte, at) => (at === 0 ? byte ^ 0x60 : byte)));
    read(packet);
  }
  return [{ index, x, z, packets }];
}

function outcomeOf(decoder: PlayerInfoDecoder, index: number, packet: Uint8Array): PacketVector["outcome"] {
  try {
    decoder.decode(packet);
  } catch (error) {
    if (!(error instanceof PlayerInfoError)) throw error;
    const { code, path, bitOffset, pass, index: player = 0 } = error;
    return { code, path, bitOffset, pass, index: player };
  }
  const { level, x, z } = decoder.player(index) ?? { level: 0, x: 0, z: 0 };
  return { level, x, z };
}
