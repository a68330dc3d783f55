/** MapleStory in a real browser: bots watched as truth and as ghosts, and a character played that others see. */
import { connect } from "node:net";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type MapleServerMessage, mapleStory } from "wirewalk/maplestory";
import { durationOf } from "wirewalk/maplestory/movement";
import type { Track } from "wirewalk/motion";
import {
  checkReadable,
  describeInBrowser,
  frames,
  openList,
  openStudio,
  picture,
  type Studio,
  takesPictures,
  WAIT,
} from "./page-tools.ts";

/** A monster's first packet comes after a second and is shown one later; errors are of moving actors. */
const WAIT_FOR_PACKETS = { timeout: 90_000 };

/** Portals are given by the number of the player: the page's, the eighth, comes in at the one that leads on. */
const BOTS = 7;

describeInBrowser("the page of maplestory", () => {
  let studio: Studio;
  let page: Page;
  let onlooker: Onlooker | undefined;

  const lane = (name: string): Locator => page.locator(".maple-lane", { hasText: name });
  const policy = (name: string): Locator => page.getByRole("button", { name: new RegExp(`^${name} `) });
  const stage = (): Locator => page.locator(".stage");

  /** The mean that stands beside a policy's name, pixels. */
  const meanOf = async (name: string): Promise<number> =>
    Number.parseFloat(await policy(name).locator("b").innerText());

  /** The page's player, as the server has it. */
  const findPagePlayer = (): Track | undefined => {
    const { host } = studio.server.worlds[0] ?? {};
    const all = [...(host?.tracks(Date.now(), "1") ?? []), ...(host?.tracks(Date.now(), "2") ?? [])];
    return all.find(({ details }) => String(details?.name).startsWith("guest-"));
  };
  const pagePlayer = (): Track => {
    const track = findPagePlayer();
    if (track === undefined) throw new Error("The page's player is not there");
    return track;
  };

  /** Looks at room 1 without a player of the page's own, wherever the test before has ended. */
  const watch = async (): Promise<void> => {
    const leave = page.getByRole("button", { name: "Leave" });
    if (await leave.isVisible()) await leave.click();
    await expect.poll(findPagePlayer, WAIT).toBe(undefined);
    const room = page.getByRole("region", { name: "Room 1" });
    if (!(await room.isVisible())) await page.goto(`${studio.origin}/#maplestory/1`);
    await room.waitFor(WAIT);
  };

  /** Plays in room 1, as a new player unless the page's is there already. */
  const play = async (): Promise<void> => {
    const isPlaying = await page.getByRole("button", { name: "Leave" }).isVisible();
    if (isPlaying && findPagePlayer()?.room === "1") return;
    await watch();
    await page.getByRole("button", { name: "Play", exact: true }).click(WAIT);
    await page.getByRole("button", { name: "Leave" }).waitFor(WAIT);
    await lane("you").waitFor(WAIT);
    await expect.poll(() => findPagePlayer()?.room, WAIT).toBe("1");
  };

  /** Another client in room 1, over TCP. */
  const openedOnlooker = (): Onlooker => {
    onlooker ??= studio.closeLater(openOnlooker(studio.server.listeners[0]?.port ?? 0));
    return onlooker;
  };

  /** The list of verdicts, opened: those about the page's player. */
  const verdictsAboutPage = async (): Promise<readonly string[]> => {
    await openList(page, "Verdicts");
    await page.getByRole("button", { name: "All", exact: true }).click();
    return page.locator(".verdict", { hasText: "guest-" }).allInnerTexts();
  };

  /** Places of the looked-at ghost, as the card says them, while the character walks to and fro: so many different ones. */
  const ghostPlaces = async (count: number): Promise<ReadonlySet<string>> => {
    const places = new Set<string>();
    const look = async (): Promise<number> => {
      const [, place] = /ghost at (-?\d+, -?\d+)/.exec(await page.locator(".maple-card").innerText()) ?? [];
      if (place !== undefined) places.add(place);
      return places.size;
    };
    for (const key of ["ArrowLeft", "ArrowRight"]) {
      const enough = key === "ArrowLeft" ? count / 2 : count;
      await page.keyboard.down(key);
      await expect.poll(look, WAIT).toBeGreaterThanOrEqual(enough);
      await page.keyboard.up(key);
    }
    return places;
  };

  beforeAll(async () => {
    studio = await openStudio([{ protocol: mapleStory, port: 0 }], { framesPerSecond: 12 });
    page = studio.page;
    await studio.startBots(BOTS, { protocol: mapleStory, room: "1" });
    return studio.close;
  });

  // A test that fails in the middle of a walk leaves its key down.
  afterEach(async () => {
    for (const key of ["ArrowLeft", "ArrowRight"]) await page.keyboard.up(key);
  });

  test("the time line has a lane for each, with packets of 510 ms and of 1,080 ms", async () => {
    await page.goto(`${studio.origin}/#maplestory/1`);
    await page.getByRole("region", { name: "Room 1" }).waitFor(WAIT);
    // Lanes have packets while they are in sight: the list is scrolled to each.
    for (const at of [0, 5, 11]) {
      const mob = lane("mob").nth(at);
      await mob.scrollIntoViewIfNeeded(WAIT);
      await expect.poll(() => mob.innerText(), WAIT_FOR_PACKETS).toContain("1080 ms");
    }
    await lane("bot").first().scrollIntoViewIfNeeded(WAIT);
    // Bots go through portals now and then.
    await expect.poll(() => lane("bot").filter({ hasText: "510 ms" }).count(), WAIT_FOR_PACKETS).toBeGreaterThan(2);
    expect(await lane("mob").count()).toBe(12);
  });

  test("ghosts follow the truth, the client's own closest and those that leap furthest", async () => {
    await expect.poll(() => meanOf("hold"), WAIT_FOR_PACKETS).toBeGreaterThan(10);
    // A few pixels; more for a while where a busy machine sent late.
    await expect.poll(() => meanOf("native"), WAIT_FOR_PACKETS).toBeLessThan(25);
    expect(await meanOf("native")).toBeLessThan(await meanOf("hold"));
    await picture(page, "maplestory-watching-dark");
    await picture(stage(), "maplestory-stage");
  });

  test("a worse network makes the ghosts worse, and the packets late", async () => {
    const network = page.getByRole("combobox", { name: /Network/ });
    // A choice begins the errors anew. The mean of the first few may be far off.
    await network.selectOption("unchanged");
    let before = 0;
    const settled = async (): Promise<number> => {
      before = await meanOf("native");
      return before > 0 ? before : Infinity;
    };
    await expect.poll(settled, WAIT_FOR_PACKETS).toBeLessThan(25);
    await network.selectOption("+ 500 ms, stalls");
    await expect.poll(() => meanOf("native"), WAIT_FOR_PACKETS).toBeGreaterThan(before + 5);
    const latest = async (): Promise<number> => {
      const titles = await lane("bot").evaluateAll((lanes) => lanes.map((each) => each.getAttribute("title") ?? ""));
      return Math.max(0, ...titles.map((title) => Number(/received (\d+) ms/.exec(title)?.[1] ?? 0)));
    };
    await expect.poll(latest, WAIT).toBeGreaterThan(200);
    await picture(stage(), "maplestory-stage-jitter");
    await network.selectOption("unchanged");
  });

  test("a packet opens to its fragments, down to the bytes", async () => {
    const last = lane("mob").filter({ hasText: "1080 ms" }).first();
    const card = page.locator(".maple-card");
    const close = card.getByRole("button", { name: "Close" });
    if (await close.isVisible()) await close.click();
    await last.click();
    await card.getByText(/1080 ms in \d+ fragments?, \d+ bytes/).waitFor(WAIT);
    expect(await card.innerText()).toMatch(/driven by bot \d/);
    // A walk is an absolute fragment: type, place, velocity, foothold, state, duration.
    const walk = card.locator("li", { hasText: "absolute" }).first();
    expect(await walk.locator(".maple-fields").innerText()).toMatch(
      /^x -?\d+ · y -?\d+ · vx -?\d+ · vy .* · state \d+$/,
    );
    expect(await walk.locator(".maple-hex").innerText()).toMatch(/^00( [0-9a-f]{2}){13}$/);
    // The packets of the last seconds end before the right edge: one of them is kept by a click.
    const box = await page.locator(".maple-time").boundingBox();
    if (box === null) throw new Error("There is no time line");
    const number = /Packet (\d+)/;
    // A player that stands still sends nothing for a while: try lane by lane until one has a packet.
    const rows = lane("bot");
    let tries = 0;
    await expect
      .poll(async () => {
        const row = rows.nth(tries++ % (await rows.count()));
        // The lanes scroll: a click has to hit what can be seen.
        await row.scrollIntoViewIfNeeded();
        const seen = await row.boundingBox();
        await page.mouse.click(box.x + box.width * 0.5, (seen?.y ?? 0) + (seen?.height ?? 0) / 2);
        await page.waitForTimeout(200);
        return card.locator(".maple-hot").count();
      }, WAIT)
      .toBe(1);
    const kept = number.exec(await card.innerText())?.[1];
    await page.mouse.move(5, 5);
    // Newer packets do not take its place.
    const titles = (): Promise<string> =>
      lane("mob").evaluateAll((lanes) => lanes.map((each) => each.getAttribute("title")).join());
    const before = await titles();
    await expect.poll(titles, WAIT).not.toBe(before);
    expect(number.exec(await card.innerText())?.[1]).toBe(kept);
    await picture(stage(), "maplestory-stage-packet");
    await close.click();
    // It is gone with the next picture.
    await frames(page, 3);
    expect(await card.count()).toBe(0);
  });

  test("the wire panel shows the packets of the player followed from the list", async () => {
    await openList(page, "Players");
    const follow = page.locator(".roster-follow").first();
    const name = await follow.innerText();
    if ((await lane(name).first().getAttribute("aria-pressed")) !== "true") await follow.click();
    await expect.poll(() => lane(name).first().getAttribute("aria-pressed"), WAIT).toBe("true");
    await openList(page, "Wire");
    await page
      .locator(".wire-line", { hasText: name })
      .filter({ hasText: /movePlayer.*fragments × \d/ })
      .first()
      .click(WAIT_FOR_PACKETS);
    const view = page.locator(".inspector .message-view");
    await view.locator(".field", { hasText: "fragments[0].type" }).first().hover();
    expect(await view.locator(".byte.hot").count()).toBe(1);
    await picture(page, "maplestory-following-dark");
    await lane(name).first().click();
  });

  test("a key in the page is a packet at another client over TCP", async () => {
    await play();
    const character = Number(pagePlayer().details?.characterId);
    const other = openedOnlooker();
    const before = other.durationsOf("movePlayer", character).length;
    const durations = (): readonly number[] => other.durationsOf("movePlayer", character).slice(before);
    // Away from the nearer end of the map.
    const startX = pagePlayer().position.x;
    const [key, direction] = startX > 0 ? ["ArrowLeft", -1] : ["ArrowRight", 1];
    await page.keyboard.down(key);
    await expect.poll(() => durations().length, WAIT).toBeGreaterThan(2);
    await page.keyboard.press("Space", { delay: 120 });
    await expect.poll(() => durations().length, WAIT).toBeGreaterThan(4);
    await picture(page, "maplestory-playing-dark");
    await page.keyboard.up(key);
    // A walk with a jump, every packet of it whole.
    expect(new Set(durations())).toEqual(new Set([510]));
    await expect.poll(() => direction * (pagePlayer().position.x - startX), WAIT).toBeGreaterThan(250);
    await openList(page, "Wire");
    await page.locator(".wire-client", { hasText: "movePlayer" }).first().waitFor(WAIT);
  });

  test("another policy shows the ghost elsewhere, at once", async () => {
    await play();
    const other = openedOnlooker();
    // Again after a failure: the ghost may be looked at already, by the other policy.
    if ((await page.locator(".maple-card").count()) === 0) await lane("you").click();
    await policy("native").click();
    const native = await ghostPlaces(10);
    await policy("hold").click();
    expect(await policy("hold").getAttribute("aria-pressed")).toBe("true");
    expect(await policy("native").getAttribute("aria-pressed")).toBe("false");
    // The card says the new place with the next picture.
    await frames(page, 3);
    const hold = await ghostPlaces(4);
    await picture(stage(), "maplestory-stage-hold");
    // A leaping player is drawn only at a packet's nodes; the others between the nodes too.
    const character = Number(pagePlayer().details?.characterId);
    // The page may draw a node before its packet is at the other client.
    const unknown = (): string[] => [...hold].filter((place) => !other.placesOf(character).has(place));
    await expect.poll(unknown, WAIT).toEqual([]);
    const shown = other.placesOf(character);
    expect([...native].filter((place) => !shown.has(place)).length).toBeGreaterThan(2);
    await policy("native").click();
    await lane("you").click();
  });

  test("the page drives the monsters assigned to it, without a verdict", async () => {
    await play();
    const before = await verdictsAboutPage();
    const other = openedOnlooker();
    await openList(page, "Wire");
    studio.stopBots();
    // Two are left on the map: half of the monsters are the page's.
    await expect.poll(() => Number(pagePlayer().details?.monsters), WAIT).toBeGreaterThan(3);
    await expect.poll(() => other.durationsOf("moveMonster").length, WAIT_FOR_PACKETS).toBeGreaterThan(6);
    await page.locator(".wire-line", { hasText: "moveLife" }).first().waitFor(WAIT);
    await page.locator(".wire-line", { hasText: "moveMonsterResponse" }).first().waitFor(WAIT);
    expect(await verdictsAboutPage()).toEqual(before);
  });

  test("a portal leads to another map, where the play goes on", async () => {
    await play();
    const before = await verdictsAboutPage();
    // It takes some seconds until it cheats: it is looked for in the next test.
    studio.stopBots();
    await studio.startBot({ protocol: mapleStory, room: "1", number: 90, cheat: "teleport" });
    await page.locator(".scene").focus();
    await page.keyboard.down("ArrowRight");
    // The map ends 5 px beyond the gate.
    await expect.poll(() => pagePlayer().position.x).toBeGreaterThan(565);
    await page.keyboard.up("ArrowRight");
    await page.waitForTimeout(800);
    await page.keyboard.press("ArrowUp", { delay: 150 });
    await expect.poll(() => pagePlayer().room, WAIT).toBe("2");
    await lane("mob").first().waitFor(WAIT);
    await page.keyboard.down("ArrowRight");
    await expect.poll(() => pagePlayer().position.x, WAIT).toBeGreaterThan(-400);
    await page.keyboard.up("ArrowRight");
    await picture(stage(), "maplestory-stage-elsewhere");
    expect(await verdictsAboutPage()).toEqual(before);
  });

  test("a cheat is judged before our eyes", async () => {
    await watch();
    await openList(page, "Verdicts");
    const verdict = page.locator(".verdict", { hasText: "teleport" }).first();
    // It plays since the test before, unless that failed early.
    if (studio.botCount === 0) {
      await studio.startBot({ protocol: mapleStory, room: "1", number: 91, cheat: "teleport" });
    }
    await verdict.waitFor(WAIT_FOR_PACKETS);
    await picture(page, "maplestory-judged-dark");
  });

  test("is readable in light with a crowd, wide, and on a phone", async () => {
    await watch();
    studio.stopBots();
    await studio.startBots(takesPictures ? 40 : 30, { protocol: mapleStory, room: "1", number: 100 });
    await expect.poll(() => lane("bot").count(), WAIT_FOR_PACKETS).toBeGreaterThan(25);
    await checkReadable(page, "maplestory-crowd", 3_000);
  });

  test("shows what to do in an empty room", async () => {
    await watch();
    studio.stopBots();
    onlooker?.close();
    await page.getByText("Nobody is here.").waitFor(WAIT);
    await page.getByText("No packets yet.").waitFor(WAIT);
    await picture(page, "maplestory-empty-dark");
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });
});

/** A client that only listens. */
interface Onlooker {
  /** How long the packets of an actor are, or of all of the kind, in the order in which they were relayed. */
  durationsOf(message: "movePlayer" | "moveMonster", id?: number): readonly number[];
  /** Where the packets of a character say that it was, as `x, y`. */
  placesOf(id: number): ReadonlySet<string>;
  close(): void;
}

/** Comes in over the game's own TCP port, hello, cipher and all. */
function openOnlooker(port: number): Onlooker {
  const arrived: MapleServerMessage[] = [];
  const channel = mapleStory.openChannel({ side: "client", dialect: "v62", carrier: "stream" });
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  // The server speaks first: what is said after its hello is ciphered as it asks for.
  socket.once("data", () => {
    socket.write(channel.write({ message: "playerLoggedIn", value: { characterId: 99, reserved: 0 } }));
  });
  socket.prependListener("data", (bytes: Uint8Array) => {
    channel.push(bytes);
    for (let received = channel.next(); received !== undefined; received = channel.next()) {
      if (received.message !== undefined) arrived.push(received.message);
    }
  });
  // A reset at the end of a test is no news.
  socket.on("error", () => {});
  return {
    durationsOf: (name, id) =>
      arrived.flatMap(({ message, value }) => {
        if (message !== name || !("fragments" in value)) return [];
        const isOther = id !== undefined && "characterId" in value && value.characterId !== id;
        return isOther ? [] : [durationOf(value.fragments)];
      }),
    placesOf: (id) => {
      const places = new Set<string>();
      for (const { message, value } of arrived) {
        if (message !== "movePlayer" || !("start" in value) || value.characterId !== id) continue;
        for (const { x, y } of [value.start, ...value.fragments]) places.add(`${x}, ${y}`);
      }
      return places;
    },
    close: () => socket.destroy(),
  };
}
