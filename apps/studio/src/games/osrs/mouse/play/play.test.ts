import { expect, test } from "vitest";
import { GAME_HEIGHT, GAME_WIDTH, PointerRecorder, type PointerSurface } from "wirewalk/osrs/mouse";
import { formatHex, parseHex } from "wirewalk/wire";
import { gameWindow, SentPath } from "./play.ts";

/** A canvas on a sharp display: its bitmap has nothing to do with the game's pixels. */
function sharpCanvas() {
  const listeners = new Map<string, (event: never) => void>();
  const canvas: PointerSurface = {
    width: 1600,
    height: 1052,
    clientLeft: 1,
    clientTop: 1,
    clientWidth: GAME_WIDTH / 2,
    clientHeight: GAME_HEIGHT / 2,
    offsetWidth: GAME_WIDTH / 2 + 2,
    offsetHeight: GAME_HEIGHT / 2 + 2,
    getBoundingClientRect: () => ({ left: 10, top: 20, width: GAME_WIDTH / 2 + 2, height: GAME_HEIGHT / 2 + 2 }),
    addEventListener: (type, listener) => listeners.set(type, listener),
    removeEventListener: (type) => listeners.delete(type),
  };
  return { canvas, listeners };
}

test("the page's canvas is the game's window, whatever its size and bitmap", () => {
  const { canvas, listeners } = sharpCanvas();
  const recorder = new PointerRecorder(gameWindow(canvas), { dialect: "client", startMs: 0 });
  listeners.get("pointerdown")?.({ clientX: 11 + 200, clientY: 21 + 150, button: 0, timeStamp: 5 } as never);
  // Absolute: (400,300).
  expect(recorder.step(20).map((packet) => formatHex(packet, { separator: "" }))).toEqual(["0000ffff012c0190"]);
  recorder.detach();
  expect(listeners.size).toBe(0);
});

test("the log shows what each packet does to the memory of the session", () => {
  const sent = new SentPath("client");
  const first = sent.take(parseHex("0000 ffff012c0190"));
  expect(first.before).toMatchObject({ x: null, known: false, records: 0 });
  expect(first.after).toEqual({ x: 400, y: 300, known: true, outside: false, atMs: 0, records: 1 });
  const second = sent.take(parseHex("0800 295e"));
  expect(second.before).toEqual(first.after);
  expect(second.after).toEqual({ x: 405, y: 298, known: true, outside: false, atMs: 48, records: 2 });
  expect(second.message.value.records).toHaveLength(1);
});
