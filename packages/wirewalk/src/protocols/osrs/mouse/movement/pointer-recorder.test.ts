import { describe, expect, it } from "vitest";
import { halfSizeCanvas } from "../testing/fake-canvas.ts";
import { readMousePacket } from "../wire/packet.ts";
import { canvasPoint, type PointerEventName, PointerRecorder } from "./pointer-recorder.ts";

/** Checked by the compiler alone: a real canvas fits. */
export const fits = (canvas: HTMLCanvasElement): PointerRecorder =>
  new PointerRecorder(canvas, { dialect: "client", startMs: performance.now() });

describe("coordinates are the canvas's own pixels", () => {
  it("border and CSS size taken out", () => {
    const canvas = halfSizeCanvas();
    expect(canvasPoint(canvas, 104, 52)).toEqual({ x: 0, y: 0 });
    expect(canvasPoint(canvas, 104 + 200, 52 + 150)).toEqual({ x: 400, y: 300 });
    expect(canvasPoint(canvas, 104 + 382.4, 52 + 251.4)).toEqual({ x: 764, y: 502 });
    expect(canvasPoint(canvas, 103, 51)).toEqual({ x: -2, y: -2 });
  });

  it("transforms taken out", () => {
    const canvas = halfSizeCanvas();
    canvas.box = { left: 100, top: 50, width: 390.5 * 2, height: 255.5 * 2 };
    expect(canvasPoint(canvas, 100 + 8 + 400, 50 + 4 + 300)).toEqual({ x: 400, y: 300 });
  });

  it("a hidden canvas has no inside", () => {
    const canvas = halfSizeCanvas();
    canvas.box = { left: 0, top: 0, width: 0, height: 0 };
    expect(canvasPoint(canvas, 5, 5)).toEqual({ x: -1, y: -1 });
  });
});

it("pointer events become packets", () => {
  const canvas = halfSizeCanvas();
  const recorder = new PointerRecorder(canvas, { dialect: "native", startMs: 1000 });
  const fire = (type: PointerEventName, clientX: number, clientY: number, timeStamp: number, button = 0): void =>
    canvas.fire(type, { clientX, clientY, timeStamp, button });
  fire("pointermove", 304, 202, 1000.4);
  expect(recorder.step(1000)).toEqual([]);
  fire("pointermove", 306.5, 201, 1050.9);
  recorder.step(1060);
  fire("pointerdown", 306.5, 201, 1070, 2);
  fire("pointerleave", 600, 600, 1101);
  const payloads = recorder.step(1120);
  expect(payloads).toHaveLength(1);
  expect(readMousePacket("native", payloads[0] as Uint8Array).records).toMatchObject([
    { form: "full", dt: 8191, x: 400, y: 300, button: 0 },
    { form: "small", dt: 2, x: 5, y: -2, button: 0 },
  ]);
  recorder.detach();
  expect(canvas.listeners.size).toBe(0);
});
