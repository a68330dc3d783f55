/** The player info of Old School RuneScape in a real browser: bots walk, and one of them is looked through. */
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Track, TrackReader, TrackWriter } from "wirewalk/motion";
import { osrs } from "wirewalk/osrs";
import { DEMO_ORIGIN, DEMO_TILES } from "wirewalk/osrs/player-info";
import {
  checkReadable,
  describeInBrowser,
  frames,
  openList,
  openStudio,
  picture,
  type Studio,
  WAIT,
} from "./page-tools.ts";

const BOTS = 20;

/**
 * A third of the game's: what is tested are packets, not seconds. A snapshot has to come before the next tick, and it is up to 50 ms late
 * on a machine with time to spare.
 */
const TICK_MS = 200;

/** Packets after which the two sides are compared on the page. */
const MANY_PACKETS = 12;

/** A text message of the feed, as far as these tests change it. */
interface SentMessage {
  readonly type: string;
  readonly what?: string;
  data?: { hex?: string };
}

/** Reads the feed's tracks, and writes them for the page, changed or not. */
class TracksRelay {
  readonly #reader = new TrackReader();
  #writer = new TrackWriter({ stream: 0, world: "", room: "" });
  /** No server has had so many. */
  #streams = 1_000_000;
  /** As the feed sent them last. */
  tracks: readonly Track[] = [];

  relay(bytes: Uint8Array, change: (track: Track) => Track): Uint8Array {
    const snapshot = this.#reader.read(bytes);
    if (snapshot === undefined) return bytes;
    const { world, room, atMs, isFull } = snapshot;
    this.tracks = [...snapshot.tracks.values()];
    if (isFull) {
      this.#streams += 1;
      this.#writer = new TrackWriter({ stream: this.#streams, world, room });
    }
    const delta = this.#writer.update(atMs, this.tracks.map(change));
    return isFull ? this.#writer.full(atMs) : (delta ?? this.#writer.still(atMs));
  }
}

describeInBrowser("the page of player info", () => {
  let studio: Studio;
  let page: Page;
  /** Changes the feed's messages and tracks, to test how the page shows them. */
  let tamper: ((sent: SentMessage) => void) | undefined;
  let changeTrack: ((track: Track) => Track) | undefined;
  /** Messages of the feed while it is held, to be sent later. */
  let held: (string | Buffer)[] | undefined;
  /** Where everybody is, as the feed said last. */
  let sentTracks: readonly Track[] = [];

  let release = (): void => {};

  const panel = (): Locator => page.locator(".pi-panel");
  const observer = (): Promise<string> => page.locator(".pi-name").innerText();
  const clientMap = (): Locator => page.locator(".pi-map canvas").nth(1);
  const compared = async (): Promise<number> =>
    Number(/(\d+) packets? compared/.exec(await panel().innerText())?.[1] ?? 0);
  const isLive = (): Promise<string | null> =>
    page.getByRole("button", { name: "Live", exact: true }).getAttribute("aria-pressed");
  const pixels = (of: Locator): Promise<string> => of.evaluate((node) => (node as HTMLCanvasElement).toDataURL());

  beforeAll(async () => {
    // There are more pictures than packets, so a change between two packets can be seen.
    studio = await openStudio([{ protocol: osrs, port: 0, tickMs: TICK_MS }], { framesPerSecond: 15 });
    page = studio.page;
    await studio.startBots(BOTS, { protocol: osrs, room: "world" });
    await page.routeWebSocket(/\/ws\/studio/, (socket) => {
      release = () => {
        for (const message of held ?? []) socket.send(message);
        held = undefined;
      };
      const feed = socket.connectToServer();
      const relay = new TracksRelay();
      const changed = (message: string | Buffer): string | Buffer => {
        if (typeof message !== "string") {
          return Buffer.from(relay.relay(message, (track) => changeTrack?.(track) ?? track));
        }
        const sent = JSON.parse(message) as SentMessage;
        tamper?.(sent);
        return JSON.stringify(sent);
      };
      feed.onMessage((message) => {
        const sent = changed(message);
        if (held !== undefined) {
          held.push(sent);
          return;
        }
        sentTracks = relay.tracks;
        socket.send(sent);
      });
    });
    return studio.close;
  });

  afterEach(() => {
    tamper = undefined;
    changeTrack = undefined;
  });

  test("a player's view is shown at once, and after many packets client and server agree", async () => {
    await page.goto(`${studio.origin}/#osrs/world`);
    await page.getByRole("region", { name: "Room world" }).waitFor(WAIT);
    await page.getByText("Decoder and server agree").waitFor(WAIT);
    await expect.poll(compared, { timeout: 120_000 }).toBeGreaterThanOrEqual(MANY_PACKETS);
    const text = await panel().innerText();
    expect(text).toMatch(/0\/\d+ locals? · 0\/\d+ quarters? differ/);
    expect(text).not.toContain("wrong");
    await openList(page, "Players");
    expect(await page.locator(".roster tr.followed").count()).toBe(1);
    await picture(page, "player-info-dark");
    await picture(page.locator(".stage"), "player-info-stage");
  });

  test("another observer is a click in the list of players away", async () => {
    await page.locator(".roster").getByRole("button", { name: "bot 7", exact: true }).click();
    await expect.poll(observer, WAIT).toBe("bot 7");
    await expect.poll(compared, WAIT).toBeGreaterThan(1);
    expect(await page.locator(".roster tr.followed th").innerText()).toBe("bot 7");
    await page.getByText("Decoder and server agree").waitFor(WAIT);
  });

  test("or a click on the map", async () => {
    await page.getByRole("button", { name: "Map", exact: true }).click();
    // Nobody walks on between the look and the click.
    held = [];
    await frames(page, 10);
    const players = sentTracks.map(({ position: { x, y }, details }) => ({ name: String(details?.name), x, z: y }));
    // The player farthest from all others: a click chooses the nearest player.
    const room = (of: { x: number; z: number }): number =>
      Math.min(...players.filter((other) => other !== of).map(({ x, z }) => Math.hypot(x - of.x, z - of.z)));
    const [lonely] = players.filter(({ name }) => name !== "bot 7").sort((a, b) => room(b) - room(a));
    const map = page.locator(".pi-map canvas").first();
    const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 };
    const pxPerTile = (Math.min(width, height) * 0.94) / DEMO_TILES;
    const middle = DEMO_ORIGIN + DEMO_TILES / 2;
    const { name = "", x = 0, z = 0 } = lonely ?? {};
    const position = {
      x: width / 2 + (x + 0.5 - middle) * pxPerTile,
      y: height / 2 - (z + 0.5 - middle) * pxPerTile,
    };
    await map.click({ position }).finally(release);
    await expect.poll(observer, WAIT).toBe(name);
    await picture(page.locator(".stage"), "player-info-map");
    await page.getByRole("button", { name: "View", exact: true }).click();
  });

  test("the bits of a packet by pass and masks are the whole packet", async () => {
    await expect.poll(compared, WAIT).toBeGreaterThan(3);
    const bitsShown = async () => {
      const cells = await page.locator(".pi-bits tr td:nth-of-type(1)").allInnerTexts();
      return cells.map((cell) => Number(cell.replaceAll(",", "")));
    };
    // Pass 1 of a packet is empty when every local was idle in the packet before: then it goes one packet further back.
    const activeBits = async () => {
      await page.getByRole("button", { name: "Packet before" }).click();
      await expect.poll(isLive, WAIT).toBe("false");
      // The panel shows the held packet with one of the next pictures.
      await frames(page, 4);
      return (await bitsShown())[0];
    };
    await expect.poll(activeBits, WAIT).toBeGreaterThan(0);
    const heading = await page.locator(".pi-packet h3").innerText();
    const bytes = Number(/([\d,]+) B/.exec(heading)?.[1]?.replaceAll(",", ""));
    const bits = await bitsShown();
    const [all = 0] = bits.slice(-1);
    expect(bits).toHaveLength(7);
    expect(bits.slice(0, -1).reduce((sum, part) => sum + part, 0)).toBe(all);
    expect(all).toBe(bytes * 8);
    expect(bits[0]).toBeGreaterThan(0);
    // The same packet as long as it is held, while others come.
    const before = await compared();
    await expect.poll(compared, WAIT).toBeGreaterThan(before + 1);
    expect(await page.locator(".pi-packet h3").innerText()).toBe(heading);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await expect.poll(() => page.locator(".pi-packet h3").innerText(), WAIT).not.toBe(heading);
  });

  test("what the client shows of players is on its map, and in words", async () => {
    const shown = page.getByRole("region", { name: "What the client shows" });
    await expect.poll(() => shown.innerText(), { timeout: 120_000 }).toMatch(/“.+”|−\d+|animation \d+|looks at \d+/);
    await picture(page.locator(".stage"), "player-info-looks");
  });

  test("the chart shows each packet, and a click on it opens it", async () => {
    const chart = page.locator(".pi-chart canvas");
    const first = await pixels(chart);
    await expect.poll(() => pixels(chart), WAIT).not.toBe(first);
    const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
    const number = async (): Promise<number> =>
      Number(/Packet (\d+)/.exec(await page.locator(".pi-packet h3").innerText())?.[1]);
    await chart.click({ position: { x: width - 17, y: height / 2 } });
    await expect
      .poll(() => page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed"), WAIT)
      .toBe("false");
    const held = await number();
    expect(held).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await expect.poll(number, WAIT).toBeGreaterThan(held);
  });

  test("a packet opens from its bits to what they did", async () => {
    await openList(page, "Wire");
    await page.locator(".wire-line", { hasText: "playerInfo" }).first().waitFor(WAIT);
    const view = page.locator(".inspector .message-view");
    const update = view.locator(".field", { hasText: /pass1\[\d+\]\.update/ });
    // The newest packet opens: in a tick after one without movement all players stand in the second pass.
    const open = async (): Promise<number> => {
      await page.getByRole("button", { name: "Bits", exact: true }).click();
      await view.locator(".field", { hasText: "opcode" }).first().waitFor(WAIT);
      return update.count();
    };
    await expect.poll(open, { ...WAIT, interval: 700 }).toBeGreaterThan(0);
    await update.first().hover();
    expect((await view.locator(".bits.hot").allTextContents()).join("")).toHaveLength(1);
    expect(await view.locator(".state").innerText()).toMatch(/locals\s+\d+\s+\d+/);
    expect(await page.locator(".inspected").innerText()).toContain("Received");
    await picture(page, "player-info-bits-dark");
  });

  test("players go smoothly between packets, or stand still in between", async () => {
    await page.getByRole("button", { name: "Ticks", exact: true }).click();
    await page.getByRole("checkbox", { name: "Trails" }).uncheck();
    await page.getByRole("button", { name: "Map", exact: true }).click();
    /** Different pictures among ten frames: in two thirds of a second come four packets at most. */
    const pictures = (): Promise<number> =>
      clientMap().evaluate(async (node) => {
        const seen = new Set<string>();
        for (let frame = 0; frame < 10; frame++) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          seen.add((node as HTMLCanvasElement).toDataURL());
        }
        return seen.size;
      });
    const locked = await pictures();
    await page.getByRole("button", { name: "Smooth", exact: true }).click();
    await expect.poll(pictures, WAIT).toBeGreaterThan(locked + 1);
    await page.getByRole("checkbox", { name: "Trails" }).check();
    await page.getByRole("button", { name: "View", exact: true }).click();
  });

  test("a local player at another position on the server is a disagreement, until the positions are equal", async () => {
    const of = await observer();
    const index = Number((/index (\d+)/.exec(await panel().innerText()) ?? [])[1]);
    expect(index).toBeGreaterThan(0);
    // The observer itself is always local: its track is moved by 30 tiles.
    await openList(page, "Players");
    const row = page.locator(".roster tr.followed [title]");
    const player = Number(/#(\d+)/.exec((await row.getAttribute("title")) ?? "")?.[1]);
    changeTrack = (track) => {
      const { position } = track;
      return track.player === player ? { ...track, position: { ...position, x: position.x + 3 } } : track;
    };
    await page.getByText("Decoder and server disagree").waitFor(WAIT);
    await page.locator(".pi-difference", { hasText: `${index}: client` }).waitFor(WAIT);
    expect(await panel().innerText()).toMatch(/1\/\d+ locals? ·/);
    await picture(page.locator(".stage"), "player-info-differs");
    changeTrack = undefined;
    await page.getByText("Decoder and server agree").waitFor(WAIT);
    expect(await panel().innerText()).toMatch(/\d+ of them wrong/);
    expect(await observer()).toBe(of);
  });

  test("a damaged packet is shown with pass, player and bit, and the stream begins anew", async () => {
    tamper = (sent) => {
      // Without any bit the first local player cannot be read: in pass 1 if one was updated in the packet before, else in pass 2.
      if (sent.what === "player-info" && sent.data !== undefined) sent.data.hex = "";
    };
    const alert = page.getByRole("alert");
    await alert.getByText("The decoder lost the stream").waitFor(WAIT);
    expect(await alert.innerText()).toMatch(/pass [12], player \d+, bit \d+/);
    await picture(page.locator(".stage"), "player-info-lost");
    tamper = undefined;
    await page.getByRole("button", { name: "Begin anew" }).click();
    await page.getByText("Decoder and server agree").waitFor(WAIT);
    expect(await alert.count()).toBe(0);
  });

  test("the own body becomes the observer, and another player after it leaves", async () => {
    await openList(page, "Players");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(observer, WAIT).toBe("you");
    await page.locator(".roster .self").waitFor(WAIT);
    await expect.poll(compared, WAIT).toBeGreaterThan(2);
    await page.getByText("Decoder and server agree").waitFor(WAIT);
    await picture(page.locator(".stage"), "player-info-own");
    await page.getByRole("button", { name: "Leave" }).click();
    await expect.poll(observer, WAIT).toMatch(/^bot/);
  });

  test("the room of mice is next door, with the same bots, and back again", async () => {
    await page.getByRole("button", { name: new RegExp(`Room mouse, ${BOTS} players`) }).click();
    await page.locator(".mouse-window").waitFor(WAIT);
    await expect.poll(() => page.locator(".mouse-row").count(), WAIT).toBe(BOTS);
    expect(await page.locator(".pi-root").count()).toBe(0);
    await page.getByRole("button", { name: /Room world/ }).click();
    await page.getByText("Decoder and server agree").waitFor(WAIT);
    expect(await page.locator(".mouse-window").count()).toBe(0);
  });

  test("is readable in light, wide, and on a phone", async () => {
    await checkReadable(page, "player-info", 3_000);
  });

  test("shows what to do in an empty room", async () => {
    studio.stopBots();
    await page.getByText("Nobody is here to look through.").waitFor(WAIT);
    await page.getByText("Nobody is here. Play").waitFor(WAIT);
    await picture(page, "player-info-empty-dark");
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });
});
