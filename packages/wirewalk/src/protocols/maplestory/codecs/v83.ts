/** MapleStory's messages as the client of version 83 has them, and no other dialect: half the code of `wirewalk/maplestory/codec`. */
import { type CompiledCodec, compiledCodec } from "../../compiled-codec.ts";
import type { MapleMessages } from "../wire/codec.ts";
import { v83 } from "../wire/generated/messages.ts";

type Messages = MapleMessages["v83"];

/** The codec of dialect `v83`. */
export const mapleV83 = compiledCodec(v83) as unknown as CompiledCodec<Messages["client"], Messages["server"]>;
