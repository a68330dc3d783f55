/** `wirewalk relay maplestory --maps` before a server of our own: what its operator reads of an honest client and of cheating ones. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { portalKinds } from "wirewalk/maplestory/maps";
import { protocols } from "wirewalk/protocols";
import { until } from "../../../server/src/testing/clients.ts";
import { mapFiles } from "../../../wirewalk/src/protocols/maplestory/maps/testing/written-map.ts";
import { type Ran, type Running, startCommand } from "../testing/run-command.ts";

const line = (id: number, x1: number, y1: number, x2: number, y2: number, previous = 0, next = 0) => {
  return { id, x1, y1, x2, y2, previous, next };
};

/** A ground that ends at the wall of a block, and another one behind it. */
const quarry = (mapId: number) => ({
  mapId,
  footholds: [
    line(12, -700, 100, -700, 300, 0, 1),
    line(1, -700, 300, 0, 300, 12, 2),
    line(2, 0, 300, 0, 150, 1, 3),
    line(3, 0, 150, 300, 150, 2, 4),
    line(4, 300, 150, 300, 300, 3, 5),
    line(5, 300, 300, 900, 300, 4, 6),
    line(6, 900, 300, 900, 100, 5, 0),
    line(20, -1200, 700, 1400, 700),
  ],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -120, y: 270 }],
});

const [QUARRY, TORN] = [910_000_001, 910_000_002];
const tornFile = `Map.wz/Map/Map9/${TORN}.img.xml`;

let folder = "";
const serverMaps = (): string => join(folder, "server", "wz");
/** The same, but for one file that is cut. */
const relayMaps = (): string => join(folder, "relay", "wz");
let tornLines = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-relay-maps-"));
  for (const root of [serverMaps(), relayMaps()]) {
    for (const [path, bytes] of [...mapFiles(quarry(QUARRY)), ...mapFiles(quarry(TORN))]) {
      const isTorn = root === relayMaps() && path === tornFile;
      const kept = isTorn ? bytes.subarray(0, bytes.length / 2) : bytes;
      if (isTorn) tornLines = Buffer.from(kept).toString().split("\n").length;
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), kept);
    }
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A command, with what it has printed. */
class Watched {
  readonly #running: Running;
  #text = "";
  #ran: Ran | undefined;

  constructor(...args: string[]) {
    this.#running = startCommand(args, "", protocols);
    void this.#running.ended.then((ran) => {
      this.#ran = ran;
    });
    onTestFinished(async () => {
      await this.stop();
    });
  }

  /** Resolves with what it has printed so far, once so many places of that match. */
  async prints(pattern: RegExp, count = 1): Promise<string> {
    const all = new RegExp(pattern, "gm");
    const isPrinted = (): boolean => (this.#text.match(all)?.length ?? 0) >= count;
    await until(`it prints ${pattern}`, () => {
      void this.#running.printed(/^/).then((text) => {
        this.#text = text;
      });
      return isPrinted() || this.#ran !== undefined;
    });
    if (!isPrinted()) throw new Error(`It ended without ${pattern}: ${JSON.stringify(this.#ran)}`);
    return this.#text;
  }

  async stop(): Promise<Ran> {
    if (this.#ran === undefined) this.#running.signals.emit("SIGTERM");
    await until("the command ends", () => this.#ran !== undefined);
    return this.#ran as Ran;
  }
}

/** A server whose players enter a map, the relay before it, and clients of which each is a connection of the relay. */
async function startRelayed(startMap: number) {
  const server = new Watched(
    ...["serve", "--http", "0", "--log-level", "silent", "--log-only", "--world", "ms=maplestory", "--listen", "ms=0"],
    ...["--dialect", "ms=v83", "--set", `ms.startMap=${startMap}`, "--maps", `ms=${serverMaps()}`],
  );
  const port = /TCP +\S+:(\d+)/.exec(await server.prints(/The page/))?.[1];
  const relay = new Watched(
    ...["relay", "maplestory", "--dialect", "v83", "--listen", "0", "--to", `127.0.0.1:${port}`],
    ...["--maps", relayMaps(), "--http", "0"],
  );
  const head = await relay.prints(/The page is .*http.*\n/);
  let clients = 0;
  return {
    head,
    relay,
    async metrics(): Promise<string> {
      const page = /http:[^\s]+/.exec(head)?.[0] ?? "";
      return (await fetch(new URL("/metrics", page))).text();
    },
    /** Its number is that of its connection. */
    async play(cheat: string): Promise<number> {
      clients += 1;
      const near = /:(\d+) ->/.exec(head)?.[1] ?? "";
      const who = ["--cheat", cheat, "--seed", String(clients), "--maps", serverMaps()];
      new Watched("bots", "maplestory", "--dialect", "v83", "--port", near, ...who);
      await relay.prints(new RegExp(` ${clients} client playerLoggedIn `));
      return clients;
    },
    /** Resolves when so many paths of a client have passed. */
    async paths(client: number, count: number): Promise<void> {
      await relay.prints(new RegExp(`^\\S+ ${client} client movePlayer `), count);
    },
  };
}

/** The verdicts above benign that the lines have about a client, without their times. */
function verdictsOf(stdout: string, client: number): readonly string[] {
  const lines = stdout.matchAll(new RegExp(`^\\S+ ${client} verdict ((?!benign).*)$`, "gm"));
  return [...lines].map(([, verdict = ""]) => verdict);
}

test("a cheat has verdicts with rule, place and rounded numbers, an honest client beside it has none", async () => {
  const { head, relay, play, paths, metrics } = await startRelayed(QUARRY);
  expect(head).toContain(`It has the maps of ${relayMaps()}: 2 places.\n`);
  const honest = await play("none");
  const flier = await play("air-stand");
  const digger = await play("wall");
  await relay.prints(new RegExp(` ${flier} verdict flag foothold `));
  await relay.prints(new RegExp(` ${digger} verdict flag wall `));
  await paths(honest, 12);
  const counted = await metrics();
  for (const rule of ["foothold", "wall"]) {
    const labels = `protocol="maplestory",world="maplestory",rule="${rule}",kind="flag"`;
    expect(counted).toMatch(new RegExp(`^wirewalk_verdicts_total\\{${labels}\\} [1-9]`, "m"));
  }
  expect(counted).toContain('wirewalk_maps_used{protocol="maplestory",world="maplestory"} 1\n');
  const { code, stdout, stderr } = await relay.stop();
  expect({ code, stderr, honest: verdictsOf(stdout, honest) }).toEqual({ code: 0, stderr: "", honest: [] });
  const found = [...verdictsOf(stdout, flier), ...verdictsOf(stdout, digger)];
  const number = String.raw`\d+(?:\.\d{1,3})?`;
  const form = new RegExp(`^flag [a-z-]+ in ${QUARRY}: [A-Z][^()]+ \\(${number} px, allowed ${number}\\)$`);
  expect(found.filter((verdict) => !form.test(verdict))).toEqual([]);
  expect(found).toContainEqual(expect.stringMatching(/: Goes through wall 2 \(/));
}, 90_000);

test("a map whose file is broken is named with its line: its rules are off, the others go on", async () => {
  const { relay, play, paths } = await startRelayed(TORN);
  const honest = await play("none");
  const flier = await play("air-stand");
  const runner = await play("speed-5");
  await relay.prints(new RegExp(` ${runner} verdict flag (?:teleport|speed) in ${TORN}: `));
  await paths(honest, 12);
  await paths(flier, 12);
  const { code, stdout, stderr } = await relay.stop();
  const path = join(relayMaps(), tornFile);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      `wirewalk: --maps ${relayMaps()}: ${TORN} cannot be read, its rules are off: ` +
      `Cannot read ${path}: it is cut: <i> has no end at line ${tornLines}\n`,
  });
  const off = `is not judged by foothold, ladder, wall, water, portal: map ${TORN} is not among the maps that are given, or cannot be read`;
  for (const client of [honest, flier, runner]) {
    const told = [...stdout.matchAll(new RegExp(`^\\S+ ${client} (is (?:not )?judged .*)$`, "gm"))];
    expect(told.map(([, text]) => text)).toEqual([off]);
  }
  // The rules that need no map judge as ever.
  expect([verdictsOf(stdout, honest), verdictsOf(stdout, flier)]).toEqual([[], []]);
}, 90_000);
