/** What the manifests of the published packages promise, without packing them: `npm run check:packages` looks into the tarballs. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNatsServer, startNatsServer } from "@wirewalk/nats";
import { expect, test, vi } from "vitest";
import { protocols } from "wirewalk/protocols";
import { runCommand } from "../packages/cli/src/testing/run-command.ts";
import { PostgresServer, postgresPrograms } from "../packages/postgres/src/testing/postgres-server.ts";
import { removeStale } from "./remove-stale.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, "utf8");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly private?: boolean;
  readonly engines: Readonly<Record<string, string>>;
  readonly repository: { readonly directory: string };
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const published = globSync("packages/*/package.json", { cwd: root }).map((file) => ({
  folder: file.slice(0, -"/package.json".length),
  manifest: JSON.parse(read(file)) as Manifest,
}));
const { version } = JSON.parse(read("package.json")) as Manifest;

test.each(published)("$folder has a licence, a README and what a registry shows", ({ folder, manifest }) => {
  expect(manifest.private).toBeUndefined();
  expect(manifest).toMatchObject({ license: "MIT", repository: { directory: folder }, engines: { node: ">=22.18" } });
  expect(manifest.description.length).toBeGreaterThan(40);
  expect(read(`${folder}/LICENSE`)).toBe(read("LICENSE"));
  expect(read(`${folder}/README.md`).startsWith(`# ${manifest.name}\n`)).toBe(true);
  // A registry shows the README without the repository around it.
  expect(read(`${folder}/README.md`)).not.toMatch(/\]\((?!https:\/\/|#)/);
});

test.each(published)("$folder has the version of all, and brings no Node", ({ manifest }) => {
  const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) => /^(?:@wirewalk\/|wirewalk$)/.test(name));
  expect(own.filter(([, range]) => range !== version)).toEqual([]);
  expect(manifest.version).toBe(version);
  expect(Object.keys(manifest.dependencies ?? {})).not.toContain("node");
});

const programs = postgresPrograms();
const natsServer = findNatsServer();

test.each(["wirewalk", "server", "recording"])("the example of the README of %s prints what it says", async (name) => {
  await runExample(name, (code, folder) => code.replace('"play.mcap"', JSON.stringify(join(folder, "play.mcap"))));
});

test.skipIf(programs === undefined)("the example of the README of postgres prints what it says", async () => {
  const database = new PostgresServer(programs ?? "");
  await database.start();
  try {
    await runExample("postgres", (code) =>
      code
        .replace(/"postgres:.*?"/, JSON.stringify(database.url))
        .replace("http: 7400", "http: 0")
        .replace("port: 5555", "port: 0"),
    );
  } finally {
    await database.remove();
  }
});

test.skipIf(natsServer === undefined)("the example of the README of nats prints what it says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-nats-"));
  const broker = await startNatsServer({ program: natsServer ?? "", folder });
  try {
    await runExample("nats", (code) => code.replace(/"nats:.*?"/, JSON.stringify(broker.url)));
  } finally {
    await broker.stop();
    rmSync(folder, { recursive: true });
  }
});

/** Runs the example of a package's README, with another file, port or address, and compares what it prints. */
async function runExample(name: string, adapt: (code: string, folder: string) => string): Promise<void> {
  const [, code = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(read(`packages/${name}/README.md`)) ?? [];
  // Beside this file, from which the packages are found.
  const folder = mkdtempSync(join(root, "tools/.readme-"));
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...parts: unknown[]) => void lines.push(parts.join(" ")));
  try {
    writeFileSync(join(folder, "example.ts"), adapt(code, folder));
    await import(join(folder, "example.ts"));
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
  const said = Array.from(code.matchAll(/console\.log\(.*\); \/\/ => (.*)$/gm), ([, line]) => line);
  expect(said.length).toBe(1);
  expect(lines).toEqual(said);
}

test.each(published)(
  "the README of $folder names every game, shows a picture and says what it is not",
  ({ folder }) => {
    const readme = read(`${folder}/README.md`);
    for (const { title } of Object.values(protocols)) expect(readme).toContain(title);
    expect(readme).toMatch(/^!\[[^\]]+\]\(https:\/\/raw\.githubusercontent\.com\/\S+\)$/m);
    for (const [, path = ""] of readme.matchAll(/raw\.githubusercontent\.com\/wirewalk\/wirewalk\/main\/([^)]+)\)/g))
      expect(existsSync(`${root}${path}`), path).toBe(true);
    expect(readme).toMatch(/^It is no /m);
  },
);

test("the output in the README of the command is what it prints", async () => {
  const [, command = "", shown] = /^\$ wirewalk (.*)\n([\s\S]*?)^```$/m.exec(read("packages/cli/README.md")) ?? [];
  expect(await runCommand(command.split(" "))).toEqual({ code: 0, stdout: shown, stderr: "" });
});

test("a compiled file whose source is gone is removed, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-stale-"));
  try {
    const files = [
      "src/a.ts",
      "dist/a.js",
      "dist/a.d.ts",
      "dist/a.d.ts.map",
      "dist/gone/b.js",
      "dist/gone/b.d.ts",
      "dist/a.mjs",
    ];
    for (const file of files) {
      mkdirSync(dirname(join(folder, "packages/one", file)), { recursive: true });
      writeFileSync(join(folder, "packages/one", file), "");
    }
    expect([...removeStale(folder)].sort()).toEqual(["packages/one/dist/gone/b.d.ts", "packages/one/dist/gone/b.js"]);
    expect(files.filter((file) => !existsSync(join(folder, "packages/one", file)))).toEqual([
      "dist/gone/b.js",
      "dist/gone/b.d.ts",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the version has a section in the changelog, which names every package", () => {
  const section = read("CHANGELOG.md")
    .split("\n## ")
    .find((each) => each.startsWith(`${version}\n`));
  expect(published.filter(({ manifest }) => section?.includes(`\`${manifest.name}\``) !== true)).toEqual([]);
  for (const file of ["SECURITY.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"])
    expect(existsSync(`${root}${file}`)).toBe(true);
});
