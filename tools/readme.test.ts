/** What README and the manifests say of the code. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { PlayableProtocol, Side } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { WireError } from "wirewalk/wire";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");

describe("README's longest payloads", () => {
  const bytesOf = (text = ""): number => Number(text.replaceAll(",", ""));
  const rows = Array.from(
    readme.matchAll(/^\| `([\w-]+)` \| ([\d,]+) \| ([\d,]+) \| (.*) \|$/gm),
    ([, name = "", client, server, files = ""]) => ({ name, client: bytesOf(client), server: bytesOf(server), files }),
  );

  test("are there for every game", () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(protocols));
  });

  describe.each(rows)("$name", ({ name, client, server, files }) => {
    const protocol = protocols[name] as PlayableProtocol;

    test.each<[Side, number]>([
      ["client", client],
      ["server", server],
    ])("from a %s: %d bytes, and not one more", (sender, limit) => {
      for (const { name: dialect } of protocol.dialects) {
        const ids = protocol.codec(dialect).messages.filter((message) => message.sender === sender);
        const refusals = (length: number): string[] =>
          ids.map(({ id }) => refusalOf(protocol, dialect, sender, id, length));
        // Some kinds of message are shorter than the longest, none is longer.
        expect(refusals(limit)).toContainEqual(expect.not.stringMatching(/^limit$/));
        expect(new Set(refusals(limit + 1))).toEqual(new Set(["limit"]));
      }
    });

    test("stand where it says", () => {
      for (const [, file] of files.matchAll(/`([^`]+)`/g)) {
        expect(existsSync(`${root}packages/wirewalk/src/protocols/${name}/${file}`), file).toBe(true);
      }
    });
  });
});

/** The code with which a payload of zeroes behind its id is refused over a carrier that keeps messages whole. */
function refusalOf(protocol: PlayableProtocol, dialect: string, sender: Side, id: number, length: number): string {
  const options = { dialect, carrier: "message" } as const;
  const receiver =
    sender === "client"
      ? protocol.openChannel({ ...options, side: "server" })
      : protocol.openChannel({ ...options, side: "client" });
  const payload = new Uint8Array(length);
  payload[0] = id;
  try {
    receiver.push(payload);
    return receiver.next()?.error?.code ?? "read";
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
}

test("no description of a package promises what is not there", () => {
  const hasRecordings = existsSync(`${root}packages/recording`);
  for (const file of ["package.json", ...globSync("{packages,apps}/*/package.json", { cwd: root })]) {
    const { description } = JSON.parse(readFileSync(`${root}${file}`, "utf8")) as { readonly description: string };
    if (!hasRecordings) expect(description, file).not.toMatch(/record|replay/i);
  }
});
