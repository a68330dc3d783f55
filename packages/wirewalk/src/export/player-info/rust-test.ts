/** A test in Rust of player info: `rustc --test` compiles it. */
import { textLiteral } from "../../compile/rust/types.ts";
import { formatHex } from "../../wire/index.ts";
import type { PassesVector } from "./passes.ts";

/** The text of the test of a file. */
export function rustTest(module: string, header: readonly string[], vectors: readonly PassesVector[]): string {
  const rows = vectors.flatMap(({ index, x, z, packets }) => [
    `    (${index}, ${x}, ${z}, &[`,
    ...packets.map(({ packet, outcome }) => {
      const bytes = textLiteral(formatHex(packet, { separator: "" }));
      if (!("code" in outcome)) return `        (${bytes}, "${outcome.level} ${outcome.x} ${outcome.z}"),`;
      const { code, path, bitOffset, pass, index: player } = outcome;
      return `        (${bytes}, "${code} ${path} ${bitOffset} ${pass} ${player}"),`;
    }),
    "    ]),",
  ]);
  return `${header.map((line) => (line === "" ? "//" : `// ${line}`)).join("\n")}

//! Runs packets through ${module}: \`rustc --edition 2021 --test ${module}_test.rs\`, then the program.

#[allow(dead_code)]
#[path = "${module}.rs"]
mod codec;

use codec::{Decoder, Encoder};

type Packets = &'static [(&'static str, &'static str)];

/// The client's index and tile, and packets with its tile after them or the refusal.
const VECTORS: &[(u16, u16, u16, Packets)] = &[
${rows.join("\n")}
];

fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[i * 2..i * 2 + 2], 16).unwrap()).collect()
}

#[test]
fn packets_are_read_and_refused() {
    for &(index, x, z, packets) in VECTORS {
        let mut encoder = Encoder::new(15, 250).unwrap();
        encoder.add(index, 0, x, z).unwrap();
        let mut decoder = Decoder::new();
        decoder.init(&encoder.observe(index).unwrap(), index).unwrap();
        for &(packet, expected) in packets {
            let found = match decoder.decode(&bytes_of(packet)) {
                Ok(_) => {
                    let (level, x, z) = decoder.tile(index);
                    format!("{level} {x} {z}")
                }
                Err(own) => format!("{} {} {} {} {}", own.code.text(), own.path, own.bit_offset, own.pass, own.index),
            };
            assert_eq!(found, expected, "{packet}");
        }
    }
}

/// Two players walk; each client has both where the server has them.
#[test]
fn clients_see_what_the_server_does() {
    let mut encoder = Encoder::new(15, 250).unwrap();
    let mut clients = [Decoder::new(), Decoder::new()];
    for player in 1..=2 {
        encoder.add(player, 0, 8190 + player, 3200).unwrap();
        clients[usize::from(player) - 1].init(&encoder.observe(player).unwrap(), player).unwrap();
    }
    for tick in 0..40 {
        let tiles = [(0, 8191 + tick % 3, 3200 + tick), ((tick / 20) as u8, 8180 + tick, 3200)];
        encoder.walk(1, tiles[0].1, tiles[0].2).unwrap();
        encoder.teleport(2, tiles[1].0, tiles[1].1, tiles[1].2).unwrap();
        encoder.tick();
        for player in 1..=2 {
            let client = &mut clients[usize::from(player) - 1];
            client.decode(encoder.packet(player)).unwrap();
            for other in 1..=2 {
                assert_eq!(client.is_local(other), encoder.sees(player, other));
                if client.is_local(other) {
                    assert_eq!(client.tile(other), tiles[usize::from(other) - 1]);
                }
            }
        }
    }
}
`;
}
