/** MapleStory's messages as the client of version 62 has them, and no other dialect: half the code of `wirewalk/maplestory/codec`. */
import { type CompiledCodec, compiledCodec } from "../../compiled-codec.ts";
import type { MapleMessages } from "../wire/codec.ts";
import { v62 } from "../wire/generated/messages.ts";

type Messages = MapleMessages["v62"];

/** The codec of dialect `v62`. */
export const mapleV62 = compiledCodec(v62) as unknown as CompiledCodec<Messages["client"], Messages["server"]>;
