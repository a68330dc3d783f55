/** Where the messages of the game hold names, chat and looks. Capability `privacy`. */
import type { PayloadCodec } from "../codec.ts";
import { type Privacy, ruleScrubber, type ScrubRules } from "../privacy.ts";
import { PrivatePackets } from "./player-info/private-packets.ts";
import type { MaskRevision } from "./player-info/wire/masks/mask-revision.ts";
import { isHarmless } from "./wire/harmless-messages.ts";
import type { OsrsServerMessage } from "./wire/message.ts";

type PlayerInfo = Extract<OsrsServerMessage, { readonly message: "playerInfo" }>["value"];

function rulesFor(packets: PrivatePackets): ScrubRules {
  const remembered = (message: OsrsServerMessage["message"]) => (value: object) => {
    packets.receive({ message, value } as OsrsServerMessage);
    return value;
  };
  return {
    client: {
      mouseMove: "keep",
      nativeMouseMove: "keep",
      mouseClick: "keep",
      mouseClickV2: "keep",
      nativeMouseClick: "keep",
      moveGameClick: "keep",
      moveMinimapClick: "keep",
    },
    server: {
      playerIndex: remembered("playerIndex"),
      playerInfoInit: remembered("playerInfoInit"),
      rebuildNormal: remembered("rebuildNormal"),
      playerInfo: (value: PlayerInfo) => {
        const bytes = packets.packet(value.bytes);
        return bytes === value.bytes ? value : { bytes };
      },
      setActiveWorld: "keep",
      serverTickEnd: "keep",
      packetGroupStart: "keep",
    },
  };
}

/** `codec` and `revision`: of the game with its settings. */
export function osrsPrivacy(codec: (dialect: string) => PayloadCodec, revision: MaskRevision): Privacy {
  return {
    openScrubber: (setup) =>
      ruleScrubber({
        codec: codec(setup.dialect),
        rules: rulesFor(new PrivatePackets({ ...setup, revision })),
        isHarmless,
      }),
  };
}
