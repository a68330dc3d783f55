/** MapleStory's messages as the document has them, and no other dialect: half the code of `wirewalk/maplestory/codec`. */
import { type CompiledCodec, compiledCodec } from "../../compiled-codec.ts";
import type { MapleMessages } from "../wire/codec.ts";
import { documented } from "../wire/generated/messages.ts";

type Messages = MapleMessages["documented"];

/** The codec of dialect `documented`. */
export const mapleDocumented = compiledCodec(documented) as unknown as CompiledCodec<Messages["client"], Messages["server"]>;
