/** The inspector in a browser: paste, highlight, filter, compare, drop, links; with a server, and from a folder without one. */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sessionRecords } from "@wirewalk/recording";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { recordPlay } from "../../../packages/recording/src/testing/record-play.ts";
import { axe } from "./axe.ts";
import { drop } from "./drop.ts";
import {
  describeInBrowser,
  frames,
  join,
  openStudio,
  picture,
  type Studio,
  takesPictures,
  WAIT,
} from "./page-tools.ts";

const staticPage = fileURLToPath(new URL("../dist-inspector/index.html", import.meta.url));

/** A capture of one connection of Slime Online 2, `v0106`: movements, one that is refused, and a gap. */
function madeCapture(messages: number): Buffer {
  const codec = slimeOnline2.codec("v0106");
  const channel = slimeOnline2.openChannel({ side: "client", dialect: "v0106", carrier: "stream" });
  const tcp = new TcpPackets({
    client: { address: "127.0.0.1", port: 50_000 },
    server: { address: "127.0.0.1", port: slimeOnline2.defaultPort },
  });
  const packets = [...tcp.open()];
  for (let index = 0; index < messages; index++) {
    const value = { code: 2, direction: "rightPress", x: 100 + index, y: 160 } as const;
    packets.push(...tcp.data("client", channel.frame(codec.write("client", { message: "movePlayer", value }))));
  }
  packets.push(...tcp.data("client", channel.frame(Uint8Array.of(2, 0, 250))));
  const blocks = packets.map((packet, index) =>
    pcapngPacket(1_700_000_000_000_000_000n + BigInt(index) * 1_000_000n, packet),
  );
  return Buffer.concat([pcapngHeader({ application: "test", interfaceName: "test" }), ...blocks]);
}

/** A recording of what two bots sent, and how many messages it has. */
async function madeRecording(): Promise<{ readonly bytes: Uint8Array; readonly messages: number }> {
  const { sink } = await recordPlay({
    protocol: slimeOnline2 as PlayableProtocol,
    dialect: "v0106",
    bots: 2,
    durationMs: 1500,
  });
  const records = [...sessionRecords(sink.recording(), { [slimeOnline2.name]: slimeOnline2 as PlayableProtocol })];
  return { bytes: sink.bytes(), messages: records.length };
}

async function dropRecording(page: Page): Promise<void> {
  const { bytes, messages } = await madeRecording();
  expect(messages).toBeGreaterThan(2);
  await drop(page, "play.mcap", bytes);
  await page.locator(".list-status").getByText(`${messages} rows`).waitFor(WAIT);
  await page.getByText(`recording: ${messages} messages, 0 refused`).waitFor(WAIT);
}

const bytesInput = (page: Page): Locator => page.getByRole("textbox", { name: "Bytes" });
const chosenBytes = (page: Page): Promise<string> =>
  page
    .getByRole("grid", { name: "Bytes" })
    .locator(".hex-byte.chosen")
    .allInnerTexts()
    .then((texts) => texts.join(" "));
const active = async (list: Locator): Promise<string> => {
  const id = await list.getAttribute("aria-activedescendant");
  return id === null ? "" : list.page().locator(`[id="${id}"]`).innerText();
};

/** Pictures at four widths, light and dark. */
async function pictures(page: Page, name: string): Promise<void> {
  if (!takesPictures) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [1440, 900],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height });
      await frames(page, 4);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await picture(page, `inspect-${name}-${width}-${colorScheme}`, { fullPage: width < 900, afterMs: 150 });
    }
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

describeInBrowser("the inspector", () => {
  let studio: Studio;
  let page: Page;
  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, dialect: "v0106" }]);
    page = studio.page;
    await page.goto(`${studio.origin}/#inspect`);
    await bytesInput(page).waitFor(WAIT);
    return studio.close;
  });

  /** The inspector without a list of packets, wherever the test before has ended. */
  const empty = async (): Promise<void> => {
    if (!new URL(page.url()).hash.startsWith("#inspect")) await page.goto(`${studio.origin}/#inspect`);
    await bytesInput(page).waitFor(WAIT);
    const close = page.getByRole("button", { name: "Close" });
    while (await close.first().isVisible()) await close.first().click();
  };

  test("reads pasted bytes without being told what they are", async () => {
    await bytesInput(page).fill("00000000: 0200 02c0 01a0 00                        .......");
    await page.getByRole("heading", { name: "movePlayer" }).waitFor(WAIT);
    expect(await page.locator(".reading").innerText()).toContain("slime-online-2 v0106, from the client");
    const all = page.getByText("readings are possible");
    await all.click();
    const others = page.locator(".attempts li", { hasText: "slime-online-2 documented, from the client" }).first();
    expect(await others.innerText()).toMatch(/bit 0: Cannot read type/);
    expect(await page.locator(".inspect .effect-words").innerText()).toBe(
      "The player presses the right key at 448, 160.",
    );
    await pictures(page, "slime");
    await all.click();
  });

  test("says of a packet whose end is missing what it is likely to be, and why", async () => {
    await bytesInput(page).fill("02 00 02 C0 01");
    const reading = page.locator(".reading");
    await reading.filter({ hasText: "Likeliest" }).waitFor(WAIT);
    expect(await reading.innerText()).toMatch(
      /^\? Likeliest slime-online-2 v0106, from the client: fits but for its end, .*Cannot read y: 2 bytes needed/,
    );
    const all = page.getByText("readings are possible");
    await all.click();
    const mouse = page.locator(".attempts li", { hasText: "osrs/mouse client" }).first();
    expect(await mouse.innerText()).toContain("fits, but it reads almost any bytes");
    await pictures(page, "cut");
    await all.click();
    await bytesInput(page).fill("02 00 02 C0 01 A0 00");
    await reading.filter({ hasText: "Read as" }).waitFor(WAIT);
  });

  test("fields and bytes highlight each other, by mouse and keyboard", async () => {
    const [tree, bytes, bits] = [
      page.getByRole("tree", { name: "Fields" }),
      page.getByRole("grid", { name: "Bytes" }),
      page.getByRole("grid", { name: "Bits" }),
    ];
    await tree.getByRole("treeitem", { name: /^x/ }).click();
    expect(await chosenBytes(page)).toBe("c0 01");
    expect(await page.locator(".details").innerText()).toMatch(/448 px[\s\S]*0x01c0[\s\S]*24–39, 16 bits: bytes 3–4/);
    await bytes.getByRole("gridcell", { name: "byte 2: 02" }).click();
    expect(await active(tree)).toContain("code");
    expect(await page.locator(".names .set").innerText()).toContain("rightPress");
    await bytes.focus();
    await page.keyboard.press("ArrowRight");
    expect(await active(tree)).toContain("448");
    await page.keyboard.press("End");
    expect(await active(tree)).toContain("160");
    await tree.focus();
    await page.keyboard.press("Home");
    expect(await chosenBytes(page)).toBe("02 00");
    await page.keyboard.press("ArrowDown");
    expect(await active(bytes)).toBe("02");
    await bits.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await active(tree)).toContain("type");
    await tree.getByRole("treeitem", { name: /^y/ }).hover();
    expect(await bytes.locator(".hex-byte.pointed").allInnerTexts()).toEqual(["a0", "00"]);
    // The focus can be seen.
    await tree.focus();
    await page.keyboard.press("ArrowDown");
    expect(await tree.evaluate((node) => getComputedStyle(node).outlineStyle)).not.toBe("none");
  });

  test("says where refused bytes stop making sense, and what was read before", async () => {
    await page.getByRole("combobox", { name: /^Protocol/ }).selectOption("slime-online-2");
    await page.getByRole("combobox", { name: /^Dialect/ }).selectOption("v0106");
    await bytesInput(page).fill("02 00 02 c0 01 a0");
    const finding = page.locator(".shown .finding");
    await finding.waitFor(WAIT);
    expect(await finding.innerText()).toMatch(/Refused at bit 40 \(byte 5\): Cannot read y: 2 bytes needed, 1 left/);
    expect(await finding.innerText()).toMatch(/Read before: 3 fields, 40 of 48 bits, the last one x = 448/);
    expect(await page.locator(".hex-byte.broken").innerText()).toBe("a0");
    await finding.getByRole("button", { name: "Show the bit" }).click();
    expect(await chosenBytes(page)).toBe("a0");
    await pictures(page, "refused");
  });

  test("compares two packets, and two dialects on the same bytes", async () => {
    await bytesInput(page).fill("02 00 02 c0 01 a0 00");
    await page.getByRole("button", { name: "Pin to compare" }).click();
    await bytesInput(page).fill("02 00 02 c1 01 a0 00");
    const diff = page.getByRole("region", { name: "Comparison" });
    await diff.waitFor(WAIT);
    expect(await diff.locator(".list-head").innerText()).toContain("1 field and 1 bit differ");
    expect(await diff.locator("tr.change-value").innerText()).toMatch(/different value\s*x\s*448.*\s*449/);
    expect(await diff.locator(".diff-byte.different").allInnerTexts()).toHaveLength(2);
    await pictures(page, "compared");
    await diff.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Compare with dialect").selectOption("documentedLittleEndian");
    await diff.waitFor(WAIT);
    expect(await diff.locator(".finding").innerText()).toContain("slime-online-2 documentedLittleEndian");
    expect(await diff.locator(".diff-note").innerText()).toContain("The bytes are equal: 7 bytes.");
    await diff.getByRole("button", { name: "Close" }).click();
  });

  test("a link leads to the packet and its reading", async () => {
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.locator(".said", { hasText: "Link" }).waitFor(WAIT);
    const link = page.url();
    expect(link).toContain("#inspect?p=slime-online-2&d=v0106&s=client&b=AgACwQGgAA");
    // Loaded anew: without its address the page begins empty.
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("heading", { name: "movePlayer" }).waitFor(WAIT);
    expect(await bytesInput(page).inputValue()).toBe("02 00 02 c1 01 a0 00");
  });

  test("a dropped capture is filtered by the language of the command line", async () => {
    await drop(page, "made.pcapng", madeCapture(500));
    const list = page.getByRole("grid", { name: "Packets" });
    const status = page.locator(".list-status");
    await status.getByText("501 rows").waitFor(WAIT);
    await page.getByLabel("Filter").fill("value.x >= 590 && time > 12ms || kind == refused");
    await status.getByText("11 of 501 rows").waitFor(WAIT);
    await list.getByRole("row").filter({ hasText: "(refused)" }).click();
    await page.locator(".shown .finding").waitFor(WAIT);
    expect(await page.locator(".shown .finding").innerText()).toContain("Refused at bit 16");
    await list.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => page.locator(".details, .tree").first().innerText(), WAIT).toContain("590");
    await page.getByLabel("Columns").fill("packet, value.x");
    await list.getByRole("columnheader", { name: "value.x" }).waitFor(WAIT);
    await page.getByLabel("Filter").fill("value.x = 3");
    const fault = page.locator(".list .fault").first();
    expect(await fault.innerText()).toContain('unexpected "=" at character 9');
    expect(await fault.locator("mark").innerText()).toBe("=");
    await page.getByLabel("Filter").fill("");
    await page.getByRole("button", { name: "Statistics" }).click();
    expect(await page.getByRole("region", { name: "Statistics" }).innerText()).toMatch(/movePlayer\s+500\s+3,500/);
    await page.getByRole("button", { name: "Statistics" }).click();
    await page.getByLabel("Columns").fill("time, direction, message, value, bytes");
    await pictures(page, "capture");
  });

  test("every example reads, and has an effect", async () => {
    await empty();
    const examples = page.locator(".examples button");
    expect(await examples.count()).toBeGreaterThanOrEqual(7);
    for (const [index, name] of (await examples.allInnerTexts()).entries()) {
      await examples.nth(index).click();
      await page.locator(".shown h2").waitFor(WAIT);
      expect(await page.locator(".shown .finding").count(), name).toBe(0);
      if (name.startsWith("Player info")) {
        await page.getByRole("grid", { name: "Packets" }).focus();
        await page.keyboard.press("End");
      }
      await page.locator(".inspect .effect-canvas").waitFor(WAIT);
      await pictures(page, `example-${index}`);
    }
    expect(await page.locator(".inspect .effect-words").innerText()).toBe("3 players in view: 3 moved.");
  });

  test("shows the live wire, with pause", async () => {
    await empty();
    studio.stopBots();
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await join(page);
    await page.locator(".wire-line").first().waitFor(WAIT);
    await page.getByRole("link", { name: "Inspect", exact: true }).click();
    await page.getByRole("button", { name: "Live packets" }).click();
    const list = page.getByRole("grid", { name: "Packets" });
    await list.getByRole("row").nth(1).click();
    await page.getByText("slime-online-2 v0106 · message").waitFor(WAIT);
    await page.getByRole("button", { name: "Pause" }).click();
    const rows = page.locator(".list-status");
    const before = await rows.innerText();
    // The session goes on behind the inspector, and another player walks in its room.
    await studio.startBot({ protocol: slimeOnline2, dialect: "v0106", room: "1", number: 1 });
    await page.waitForTimeout(500);
    expect(await rows.innerText()).toBe(before);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => rows.innerText(), WAIT).not.toBe(before);
    studio.stopBots();
    await page.getByRole("button", { name: "Close" }).click();
  });

  test("reads a recording that is dropped on it", async () => {
    await empty();
    await dropRecording(page);
    const list = page.getByRole("grid", { name: "Packets" });
    await list
      .getByRole("row", { name: /movePlayer/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "movePlayer" }).waitFor(WAIT);
    await page.locator(".inspect .effect-canvas").waitFor(WAIT);
    await page.getByRole("button", { name: "Close" }).click();
  });

  test("has no fault that axe can find", async () => {
    await empty();
    await page.locator(".examples button").first().click();
    await page.locator(".inspect .effect-canvas").waitFor(WAIT);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await axe(page);
      if (found !== undefined) expect(found, colorScheme).toEqual([]);
    }
  });

  test("the console has no errors", () => expect(studio.complaints).toEqual([]));

  test("works from a folder, without a server, and connects to nothing", async () => {
    expect(existsSync(staticPage)).toBe(true);
    const file = await studio.context.newPage();
    const requests: string[] = [];
    file.on("request", (request) => requests.push(request.url()));
    const faults: string[] = [];
    file.on("pageerror", (error) => faults.push(String(error)));
    file.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    await file.goto(pathToFileURL(staticPage).href);
    await bytesInput(file).fill("AgACwAGgAA==");
    await file.getByRole("heading", { name: "movePlayer" }).waitFor(WAIT);
    await file.locator(".effect-canvas").waitFor(WAIT);
    await drop(file, "made.pcapng", madeCapture(20));
    await file.locator(".list-status").getByText("21 rows").waitFor(WAIT);
    await dropRecording(file);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
    const isRefused = await file.evaluate(() =>
      fetch("http://127.0.0.1:9/").then(
        () => false,
        () => true,
      ),
    );
    expect(isRefused).toBe(true);
    await file.close();
  });
});
