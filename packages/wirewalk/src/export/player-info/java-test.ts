/** A test in Java of player info: a program that runs vectors. */
import { JAVA_WIDTH, javaPackage } from "../../compile/java/module.ts";
import { textLiteral } from "../../compile/java/types.ts";
import { wrapped } from "../../compile/typed/wrap.ts";
import { formatHex } from "../../wire/index.ts";
import type { PassesVector } from "./passes.ts";

/** The text of the test of a class. */
export function javaTest(className: string, header: readonly string[], vectors: readonly PassesVector[]): string {
  const lines = vectors.flatMap(({ index, x, z, packets }) => [
    `    begin(${index}, ${x}, ${z});`,
    ...packets.map(({ packet, outcome }) => {
      const bytes = textLiteral(formatHex(packet, { separator: "" }));
      if (!("code" in outcome)) return `    read(${bytes}, "${outcome.level} ${outcome.x} ${outcome.z}");`;
      const { code, path, bitOffset, pass, index: player } = outcome;
      return `    read(${bytes}, "${code} ${path} ${bitOffset} ${pass} ${player}");`;
    }),
  ]);
  const text = `${header.map((line) => (line === "" ? "//" : `// ${line}`)).join("\n")}
package ${javaPackage};

import java.util.HexFormat;

/** Reads packets with {@link ${className}.Decoder}, and writes what its encoder makes of a short walk. */
public final class ${className}Test {
  private static int failures;
  private static int checks;
  private static int index;
  private static ${className}.Decoder decoder;

  public static void main(String[] args) {
${lines.join("\n")}
    walk();
    System.out.println(checks + " checks, " + failures + " failures");
    System.exit(failures == 0 ? 0 : 1);
  }

  private static void begin(int player, int x, int z) {
    ${className}.Encoder encoder = new ${className}.Encoder();
    encoder.add(player, 0, x, z);
    byte[] init = encoder.observe(player);
    index = player;
    decoder = new ${className}.Decoder();
    decoder.init(init, 0, init.length, player);
  }

  private static void read(String packet, String expected) {
    byte[] bytes = HexFormat.of().parseHex(packet);
    String found;
    try {
      decoder.decode(bytes, 0, bytes.length);
      found = decoder.level(index) + " " + decoder.x(index) + " " + decoder.z(index);
    } catch (${className}.WireError error) {
      found = error.code.text + " " + error.path + " " + error.bitOffset + " " + error.pass + " " + error.index;
    }
    check(found, expected, packet);
  }

  /** Two players walk; each client has both where the server has them. */
  private static void walk() {
    ${className}.Encoder encoder = new ${className}.Encoder();
    ${className}.Decoder[] clients = {new ${className}.Decoder(), new ${className}.Decoder()};
    for (int player = 1; player <= 2; player++) {
      encoder.add(player, 0, 8190 + player, 3200);
      byte[] init = encoder.observe(player);
      clients[player - 1].init(init, 0, init.length, player);
    }
    for (int tick = 0; tick < 40; tick++) {
      encoder.move(1, 8191 + tick % 3, 3200 + tick);
      encoder.teleport(2, tick / 20, 8180 + tick, 3200);
      encoder.tick();
      for (int player = 1; player <= 2; player++) {
        byte[] packet = encoder.packet(player);
        clients[player - 1].decode(packet, 0, packet.length);
        for (int other = 1; other <= 2; other++) {
          boolean sees = encoder.sees(player, other);
          String found = clients[player - 1].isLocal(other) + " " + (sees ? clients[player - 1].x(other) : 0);
          int x = other == 1 ? 8191 + tick % 3 : 8180 + tick;
          check(found, sees + " " + (sees ? x : 0), "tick " + tick);
        }
      }
    }
  }

  private static void check(String found, String expected, String what) {
    checks += 1;
    if (!found.equals(expected)) {
      failures += 1;
      System.out.println(what + ": " + found + ", not " + expected);
    }
  }
}
`;
  return text
    .split("\n")
    .flatMap((line) => wrapped(line, JAVA_WIDTH, "    "))
    .join("\n");
}
