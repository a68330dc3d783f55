/** Sessions of other tools that are dropped on the page: made by our own writers of what bots sent and were sent. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { sessionFile } from "../../../packages/recording/src/testing/session-file.ts";
import { axe } from "./axe.ts";
import { drop } from "./drop.ts";
import { checkReadable, describeInBrowser, openList, openStudio, type Studio, WAIT } from "./page-tools.ts";

const ofRevision = osrs.capabilities?.settings?.configure({ revision: 237 }) as unknown as PlayableProtocol;

describeInBrowser("a session of another tool that is dropped on the page", () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, port: 0 }]);
    page = studio.page;
    await page.goto(`${studio.origin}/#slime-online-2/2`);
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    return studio.close;
  });

  const head = () => page.getByRole("region", { name: "Recording" });
  const bar = () => page.getByRole("region", { name: "Playback" });
  const roster = async (): Promise<string> => (await page.locator(".roster").innerText()).replaceAll(/\s+/g, " ");
  const status = () => page.locator(".list-status");

  describe.each([
    {
      file: "bot.bin",
      format: "rsprox",
      protocol: ofRevision,
      dialect: "client",
      title: /Old School RuneScape · dialect client · 0:\d\d\.\d · 1 player/,
      sent: "mouseMove",
      received: "playerInfo",
      words: /RSProx recording: [\d,]+ messages, 0 refused/,
    },
    {
      file: "bot.msb",
      format: "mapleshark",
      protocol: protocols.maplestory as PlayableProtocol,
      dialect: "v83",
      title: /MapleStory · dialect v83 · 0:\d\d\.\d · 1 player/,
      sent: "movePlayer",
      received: "moveMonsterResponse",
      words: /MapleShark session: [\d,]+ messages, 0 refused/,
    },
  ])("$file", ({ file, format, protocol, dialect, title, sent, received, words }) => {
    let bytes: Uint8Array<ArrayBuffer>;
    beforeAll(async () => {
      bytes = await sessionFile({ protocol, protocols, format, dialect, bots: 6, durationMs: 30_000 });
    });

    test("plays: its player moves, and the messages of both sides have their names", async () => {
      await drop(page, file, bytes);
      await head().getByText(title).waitFor(WAIT);
      await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
      await openList(page, "Players");
      await page.getByText("client").first().waitFor(WAIT);
      const before = await roster();
      await expect.poll(roster, WAIT).not.toBe(before);
      await openList(page, "Wire");
      await page.locator(".wire-client", { hasText: sent }).first().waitFor(WAIT);
      await page.locator(".wire-server", { hasText: received }).first().waitFor(WAIT);
    });

    test("has messages that open into fields", async () => {
      // A row stands still only while no others come, and which are in sight then depends on when that is.
      const row = page.locator(".wire-server", { hasText: received }).first();
      const stopsAtOne = async (): Promise<boolean> => {
        await bar().getByRole("button", { name: "Pause" }).click(WAIT);
        if (await row.isVisible()) return true;
        await bar().getByRole("button", { name: "Play", exact: true }).click(WAIT);
        return false;
      };
      await expect.poll(stopsAtOne, WAIT).toBe(true);
      await row.click();
      await page.getByRole("heading", { name: received, exact: true }).waitFor(WAIT);
      await page.getByText("opcode", { exact: true }).first().waitFor(WAIT);
    });

    test("is listed, searched and played again from the inspector", async () => {
      await head().getByRole("button", { name: "Inspect its messages" }).click();
      await status().getByText(words).waitFor(WAIT);
      await page.getByLabel("Filter").fill(`message == ${received}`);
      await status()
        .getByText(/^[\d,]+ of [\d,]+ rows/)
        .waitFor(WAIT);
      const rows = page.getByRole("grid", { name: "Packets" }).getByRole("row");
      await rows.filter({ hasText: received }).first().click();
      await page.getByRole("heading", { name: received }).waitFor(WAIT);
      expect(await rows.filter({ hasText: sent }).count()).toBe(0);
      await page.getByRole("region", { name: "Packets" }).getByRole("button", { name: "Play", exact: true }).click();
      await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    });

    test("plays to its damage, and says where that is", async () => {
      await drop(page, `cut-${file}`, bytes.subarray(0, bytes.length - 1));
      await bar()
        .getByText(/^Cannot read record \d+: .+ What stands before it is played\.$/)
        .waitFor(WAIT);
      await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    });

    test("has no fault that axe can find, and fits a phone", async () => {
      expect((await axe(page)) ?? []).toEqual([]);
      await checkReadable(page, `dropped-${format}`);
    });
  });

  test("the page complains of nothing", () => {
    expect(studio.complaints).toEqual([]);
  });
});
