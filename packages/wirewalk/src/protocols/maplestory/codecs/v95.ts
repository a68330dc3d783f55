/** MapleStory's messages as the client of version 95 has them, and no other dialect: half the code of `wirewalk/maplestory/codec`. */
import { type CompiledCodec, compiledCodec } from "../../compiled-codec.ts";
import type { MapleMessages } from "../wire/codec.ts";
import { v95 } from "../wire/generated/messages.ts";

type Messages = MapleMessages["v95"];

/** The codec of dialect `v95`. */
export const mapleV95 = compiledCodec(v95) as unknown as CompiledCodec<Messages["client"], Messages["server"]>;
