/** Maps on the page: those of a server that was started with some, and those that are dropped. */
import { pageFolder, startRelay, startServer } from "@wirewalk/server";
import { chromium, type Locator, type Page } from "playwright-core";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { runBot } from "wirewalk/client";
import { type MapleWorld, mapleStory } from "wirewalk/maplestory";
import {
  type Foothold,
  type MapleMap,
  type MapleMaps,
  makeMap,
  mapleMapsOf,
  portalKinds,
} from "wirewalk/maplestory/maps";
import { createRandom, type PlayerId } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import type { PlayableProtocol } from "wirewalk/protocol";
import { axe } from "./axe.ts";
import { describeInBrowser, openList, openPage, openStudio, picture, type Studio, WAIT } from "./page-tools.ts";

/** A town of terraces with walls, ropes and portals, as high as real ones. */
const town = makeMap({
  mapId: 100_000_000,
  title: "Terraces",
  footholds: Array.from({ length: 40 }, (_, floor) => {
    const y = -110 * floor;
    const first = floor * 12 + 1;
    return Array.from({ length: 12 }, (__, part) => {
      const [x1, id] = [-1_080 + part * 180, first + part];
      const isWall = part === 11;
      return { id, x1, y1: y, x2: isWall ? x1 : x1 + 180, y2: isWall ? y - 60 : y, previous: 0, next: 0 };
    });
  }).flat(),
  ladders: [{ id: 1, x: 0, top: -110, bottom: -5, rope: true }],
  portals: [
    { id: 0, name: "sp", kind: portalKinds.start, x: 0, y: -20 },
    {
      id: 1,
      name: "east00",
      kind: portalKinds.visible,
      x: 300,
      y: 0,
      target: { mapId: 100_010_000, portal: "west00" },
    },
  ],
});

/** A ledge behind a wall: ground, the wall, and the higher ground behind it are one chain. */
const ledge = (ground: number, wall: readonly Foothold[]): MapleMap =>
  makeMap({
    mapId: 100_030_000,
    footholds: [
      { id: 7, x1: -240, y1: 300, x2: ground, y2: 300, previous: 0, next: wall.length === 0 ? 0 : 3 },
      ...wall,
    ],
    portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -60, y: 290 }],
  });
const walled = ledge(0, [
  { id: 3, x1: 0, y1: 300, x2: 0, y2: 60, previous: 7, next: 9 },
  { id: 9, x1: 0, y1: 60, x2: 400, y2: 60, previous: 3, next: 0 },
]);
/** The same on the disk of a cheat, who has taken the wall out. */
const opened = ledge(400, []);

const xml = (id: number): string =>
  `<?xml version="1.0" encoding="UTF-8"?><imgdir name="${id}.img"><imgdir name="info"><int name="returnMap" value="1"/></imgdir>
<imgdir name="foothold"><imgdir name="0"><imgdir name="1"><imgdir name="1">
<int name="x1" value="-400"/><int name="y1" value="5"/><int name="x2" value="400"/><int name="y2" value="5"/>
<int name="prev" value="0"/><int name="next" value="0"/></imgdir></imgdir></imgdir></imgdir></imgdir>`;

/** Notes all words that are written on a canvas since the page was loaded. */
async function noteWords(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    const words = new Set<string>();
    Object.assign(window, { drawnWords: words });
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      words.add(text);
      return fillText.call(this, text, ...rest);
    };
  });
}

function drawnWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { drawnWords } = window as unknown as { drawnWords: Set<string> };
    return [...drawnWords];
  });
}

/** The verdicts of a rule in the list of the page, the newest first. */
async function listedVerdict(page: Page, rule: string): Promise<Locator> {
  await openList(page, "Verdicts");
  await page.getByRole("button", { name: "All", exact: true }).click(WAIT);
  const verdict = page.locator(".verdicts .verdict", { has: page.getByText(rule, { exact: true }) }).first();
  await verdict.waitFor(WAIT);
  return verdict;
}

describeInBrowser("maps of MapleStory", () => {
  let studio: Studio;
  const asked: string[] = [];
  const drawn = () => drawnWords(studio.page);

  beforeAll(async () => {
    const protocol = mapleStory as unknown as PlayableProtocol;
    studio = await openStudio([
      { protocol, dialect: "documented", maps: mapleMapsOf("terraces", [town]) },
      { protocol, dialect: "v83", name: "ledge", maps: mapleMapsOf("ledge", [walled]), banAddress: "off" },
    ]);
    await noteWords(studio.page);
    studio.page.on("response", (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname.startsWith("/maps/")) asked.push(`${pathname} ${answer.status()}`);
    });
    await studio.page.goto(`${studio.origin}/#maplestory/100000000`);
    return studio.close;
  });

  const mode = (name: string) =>
    studio.page.getByRole("group", { name: "Part of the map" }).getByRole("button", { name });

  test("the page draws a server's map around the followed player, and the whole map after a key", async () => {
    const { page } = studio;
    await mode("Near").waitFor(WAIT);
    expect(asked).toEqual(["/maps/maplestory/100000000 200"]);
    expect(await mode("Near").getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("m");
    await expect.poll(() => mode("Whole map").getAttribute("aria-pressed"), WAIT).toBe("true");
    await picture(page, "map-whole", { afterMs: 300 });
    await mode("Near").click(WAIT);
    await expect.poll(() => mode("Near").getAttribute("aria-pressed"), WAIT).toBe("true");
    expect(await axe(page)).toEqual([]);
  });

  test("a map that nobody has is asked for, and drawn once it is dropped", async () => {
    const { page } = studio;
    await page.goto(`${studio.origin}/#maplestory/100010000`);
    await page.getByText("The server has no map 100010000.").waitFor(WAIT);
    await dropFiles({ "100010000.img.xml": xml(100_010_000), "100020000.img.xml": xml(100_020_000) });
    await page.getByText("The server has no map 100010000.").waitFor({ ...WAIT, state: "detached" });
    expect(new URL(page.url()).hash).toBe("#maplestory/100010000");
  });

  test("maps that are dropped where none is missing are a place to look at", async () => {
    const { page } = studio;
    await page.goto(`${studio.origin}/#maplestory/100000000`);
    await mode("Near").waitFor(WAIT);
    await dropFiles({ "100010000.img.xml": xml(100_010_000), "100020000.img.xml": xml(100_020_000) });
    const head = page.getByRole("region", { name: "Maps" });
    await head.getByText("2 maps").waitFor(WAIT);
    await page.getByRole("region", { name: "Room 100010000" }).waitFor(WAIT);
    await head.getByText("1 foothold", { exact: true }).waitFor(WAIT);
    await head.getByLabel("Number of a map").fill("100020000");
    await head.getByRole("button", { name: "Show" }).click(WAIT);
    await page.getByRole("region", { name: "Room 100020000" }).waitFor(WAIT);
    await head.getByLabel("Number of a map").fill("7");
    await head.getByRole("button", { name: "Show" }).click(WAIT);
    await head.getByRole("alert").getByText("There is no map 7").waitFor(WAIT);
    await head.getByRole("button", { name: "Close" }).click(WAIT);
    await page.getByRole("region", { name: "Room 100000000" }).waitFor(WAIT);
  });

  test("the wall that a player goes through is highlighted while its verdict is open", async () => {
    const { page } = studio;
    const verdict = await verdictOf("wall", 3, mapleMapsOf("opened", [opened]));
    expect((await drawn()).filter((text) => /^(wall|foothold) \d+$/.test(text))).toEqual([]);
    await verdict.click(WAIT);
    await expect.poll(drawn, WAIT).toContain("wall 3");
    await picture(page, "map-verdict", { afterMs: 500 });
  });

  test.each([
    { rule: "foothold", number: 5, words: /^(no|not on) foothold \d+$/ },
    { rule: "ladder", number: 4, words: /^no ladder or rope \d+$/ },
    // It walks on a floor in the air, and says that it flies: what is shown is the ground below.
    { rule: "flight", cheat: "air-stand", number: 7, words: /^foothold \d+$/ },
  ])(
    "what a verdict of $rule is about is highlighted while it is open",
    async ({ rule, cheat = rule, number, words }) => {
      const { page } = studio;
      studio.stopBots();
      const verdict = await verdictOf(rule, number, mapleMapsOf("ledge", [walled]), cheat);
      expect((await drawn()).filter((text) => words.test(text))).toEqual([]);
      await verdict.click(WAIT);
      await expect.poll(async () => (await drawn()).some((text) => words.test(text)), WAIT).toBe(true);
      await picture(page, `map-verdict-${rule}`, { afterMs: 500 });
      expect(await axe(page)).toEqual([]);
      expect(studio.complaints).toEqual([]);
    },
  );

  test("files without maps are refused with the reason", async () => {
    await dropFiles({ "a.txt": "nothing", "b.txt": "nothing" });
    await studio.page
      .getByRole("alert")
      .getByText(/Cannot read maps of 2 files/)
      .waitFor(WAIT);
  });

  /** A bot plays on the ledge by its own maps; the first verdict about it of a rule, in the list of the page. */
  async function verdictOf(rule: string, number: number, maps: MapleMaps, cheat?: string): Promise<Locator> {
    const { page } = studio;
    await page.goto("about:blank");
    await page.goto(`${studio.origin}/#ledge/100030000`);
    await studio.startBot({
      protocol: mapleStory as unknown as PlayableProtocol,
      dialect: "v83",
      world: "ledge",
      room: "100030000",
      number,
      maps,
      ...(cheat === undefined ? {} : { cheat }),
    });
    return listedVerdict(page, rule);
  }

  async function dropFiles(files: Readonly<Record<string, string>>): Promise<void> {
    await studio.page.evaluate((dropped) => {
      const data = new DataTransfer();
      for (const [name, text] of Object.entries(dropped)) data.items.add(new File([text], name));
      const init = { dataTransfer: data, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("drop", init));
    }, files);
  }
});

/** A long valley, whose portal to the other map is far from where one comes in. */
const valley = makeMap({
  mapId: 100_040_000,
  footholds: [{ id: 1, x1: -600, y1: 300, x2: 1_800, y2: 300, previous: 0, next: 0 }],
  portals: [
    { id: 0, name: "sp", kind: portalKinds.start, x: -400, y: 290 },
    {
      id: 3,
      name: "east00",
      kind: portalKinds.visible,
      x: 1_700,
      y: 300,
      target: { mapId: 100_050_000, portal: "west00" },
    },
  ],
});
const shore = makeMap({
  mapId: 100_050_000,
  footholds: [{ id: 1, x1: -300, y1: 300, x2: 300, y2: 300, previous: 0, next: 0 }],
  portals: [
    { id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 290 },
    { id: 2, name: "west00", kind: portalKinds.visible, x: -200, y: 300 },
  ],
});

describeInBrowser("maps of MapleStory in a relay", () => {
  test("the portal that a server lets a player through from afar is highlighted while its verdict is open", async () => {
    const maps = mapleMapsOf("valley", [valley, shore]);
    const protocol = mapleStory as unknown as PlayableProtocol;
    const [dialect, host] = ["v83", "127.0.0.1"];
    const served = mapleStory.capabilities.settings?.configure({ startMap: valley.mapId }) as
      | typeof protocol
      | undefined;
    const server = await startServer({ listeners: [{ protocol: served ?? protocol, dialect, port: 0, maps }] });
    const relay = await startRelay({
      protocol,
      dialect,
      options: {},
      listen: { host, port: 0 },
      to: { host, port: server.listeners[0]?.port ?? 0 },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: () => {},
      shadow: { seed: 1, demo: false, maps },
      page: { http: 0, studioFolder: pageFolder() },
    });
    const browser = await chromium.connect(inject("browser"));
    onTestFinished(async () => {
      await browser.close();
      await relay.close();
      await server.close({ graceMs: 0 });
    });
    const page = await openPage(browser, { viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
    await noteWords(page);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error.stack)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    const transport = await connectTcp({ host, port: relay.address.port });
    const bot = protocol.bots.create({
      dialect,
      random: createRandom(1),
      number: 0,
      cheat: "none",
      maps,
      room: valley.mapId,
    });
    const run = await runBot({ protocol, dialect, transport, bot, clock: systemClock });
    onTestFinished(() => run.stop());
    const world = server.worlds[0]?.host.world as unknown as MapleWorld;
    const track = () => world.tracks(systemClock.now())[0];
    // Its paths say where it is.
    await expect.poll(() => track()?.position.x, WAIT).not.toBe(-400);
    await page.goto(`http://${host}:${relay.pageAddress?.port}/#maplestory/100040000`);
    world.changeMap(track()?.player as PlayerId, shore.mapId, 1, 2, systemClock.now());
    const verdict = await listedVerdict(page, "portal");
    await verdict.click(WAIT);
    // The portal is beyond the part that is shown: an arrow says where.
    await expect.poll(() => drawnWords(page), WAIT).toContain("→ portal east00");
    await page.keyboard.press("m");
    await expect.poll(() => drawnWords(page), WAIT).toContain("portal east00");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText("For the developer: the message").waitFor(WAIT);
    expect(await inspector.getByText("truncated").count()).toBe(0);
    expect(complaints).toEqual([]);
    await picture(page, "map-verdict-portal", { afterMs: 500 });
  });
});
