/** Command lines for the help of `decode`, `encode` and `inspect`. */

/** The commands about packets. */
export type PacketCommand = "decode" | "encode" | "inspect";

type Examples = Readonly<Record<PacketCommand, readonly string[]>>;

/** For streams without examples of their own. */
const usual: Examples = {
  decode: [
    'echo "02 00 02 C0 01 A0 00" | wirewalk decode slime-online-2',
    "wirewalk decode slime-online-2 --direction server < payloads.txt",
    "xxd -p stream.bin | wirewalk decode slime-online-2 --framed",
  ],
  encode: [
    `echo '{"message":"movePlayer","value":{"code":10,"direction":"leftPressAir"}}' | wirewalk encode slime-online-2`,
    "wirewalk decode slime-online-2 --dialect documented < payloads.txt | wirewalk encode slime-online-2 --framed",
  ],
  inspect: [
    "wirewalk inspect slime-online-2 02 00 02 C0 01 A0 00",
    "wirewalk inspect slime-online-2 --framed 070060A207E586EEA1",
    "xxd -p packet.bin | wirewalk inspect slime-online-2 --direction server -",
  ],
};

/** By the name of the stream. */
const own: Readonly<Record<string, Examples>> = {
  "osrs/player-info": {
    decode: [
      "cat init.jsonl packets.jsonl | wirewalk decode osrs/player-info",
      "wirewalk decode osrs/player-info --revision 206 < stream.jsonl",
      "xxd -p stream.bin | wirewalk decode osrs/player-info --revision 206 --framed",
    ],
    encode: [
      `echo '{"observers":[5],"players":{"5":[0,3200,3201]}}' | wirewalk encode osrs/player-info`,
      "wirewalk encode osrs/player-info --dialect documented < positions.jsonl",
    ],
    inspect: [
      "wirewalk inspect osrs/player-info --local 499 af7ff4",
      "xxd -p init.bin | wirewalk inspect osrs/player-info -",
    ],
  },
};

/** Examples of a command, of the stream where it has its own. */
export function examplesOf(command: PacketCommand, stream: string | undefined): readonly string[] {
  const examples = stream !== undefined && Object.hasOwn(own, stream) ? own[stream] : undefined;
  return (examples ?? usual)[command];
}
