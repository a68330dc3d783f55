/** A small line of the last values, newest at the right. For the eye only: the number beside it says the same. */
import { useEffect, useRef } from "preact/hooks";
import { fitCanvas } from "../draw/canvas.ts";

export interface SparklineProps {
  readonly values: readonly number[];
  /** Places on the time axis: a line of fewer values begins further right. */
  readonly places: number;
}

export function Sparkline({ values, places }: SparklineProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (canvas !== null) drawSparkline(canvas, values, places);
  });
  return (
    <span class="sparkline" aria-hidden="true">
      <canvas ref={ref} />
    </span>
  );
}

function drawSparkline(canvas: HTMLCanvasElement, values: readonly number[], places: number): void {
  const fitted = fitCanvas(canvas);
  if (fitted === undefined) return;
  const { context, width, height } = fitted;
  context.clearRect(0, 0, width, height);
  // From zero, so that a tall line is a big number and not a changed scale.
  const top = Math.max(1, ...values);
  const step = (width - 4) / (places - 1);
  const x = (index: number): number => width - 2 - (values.length - 1 - index) * step;
  const y = (value: number): number => height - 2 - (value / top) * (height - 4);
  const colour = getComputedStyle(canvas).color;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.beginPath();
  for (const [index, value] of values.entries()) context.lineTo(x(index), y(value));
  context.stroke();
  if (values.length === 0) return;
  context.globalAlpha = 0.16;
  context.lineTo(x(values.length - 1), height);
  context.lineTo(x(0), height);
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(x(values.length - 1), y(values.at(-1) ?? 0), 2, 0, 2 * Math.PI);
  context.fill();
}
