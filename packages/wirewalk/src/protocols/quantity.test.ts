import { expect, test } from "vitest";
import { calculationLines } from "./calculation.ts";
import { figure, quantityText, reasonText } from "./quantity.ts";

test.each([
  [29_633.2, "29,633"],
  [144.88, "145"],
  [12.06, "12.1"],
  [1.171, "1.17"],
  [0.3537, "0.35"],
  [0.00621, "0.0062"],
  [0, "0"],
])("%d is written as %s", (value, text) => {
  expect(figure(value)).toBe(text);
});

test.each([
  [0.379, "variation", "38 %"],
  [0.02, "rad", "1.1°"],
  [200, "1/256 turn", "281°"],
  [1.18, "s/s", "18 % too fast"],
  [1.005, "s/s", "0.5 % too fast"],
  [0.97, "s/s", "3 % too slow"],
  [0.25, "s/s", "25 % of the time"],
  [484.8, "ms", "485 ms"],
  [5_000, "ms", "5 s"],
  [300_000, "ms", "5 min"],
  [61, "messages/s", "61 messages a second"],
  [1, "messages/s", "1 message a second"],
  [2, "1/s", "2 a second"],
  [2.5, "px/frame", "2.5 px a frame"],
  [40, "ticks", "40 steps"],
  [7, "", "7"],
])("%d of %s is %s", (value, unit, text) => {
  expect(quantityText(value, unit)).toBe(text);
});

test("two values that differ never look the same", () => {
  expect([quantityText(125.49, "px/s", 125), quantityText(125, "px/s", 125.49)]).toEqual([
    "125.49 px a second",
    "125 px a second",
  ]);
});

test("a reason has its numbers in the same spelling, and angles in degrees", () => {
  expect(reasonText("moved 29633.0 px where 5211.1 px were possible")).toBe(
    "Moved 29,633 px where 5,211 px were possible.",
  );
  expect(reasonText("Between two samples the path turns by 0.02 rad")).toBe(
    "Between two samples the path turns by 1.1°.",
  );
  expect(reasonText(" ")).toBe("The rule gives no reason.");
});

test("each line of a sum gives its result from the digits that it shows", () => {
  const lines = calculationLines([
    { what: "Speed", terms: [{ value: 150 }, { value: 540 }], unit: "px/s", isDiagonal: true },
    { what: "With tolerance", terms: [{ value: Math.hypot(150, 540) }, { by: "×", value: 1.5 }], unit: "px/s" },
    { what: "Time", terms: [{ value: 6.1479 }, { by: "+", value: 0.0509 }], unit: "s" },
    {
      what: "Possible",
      terms: [
        { value: Math.hypot(150, 540) * 1.5, unit: "px/s" },
        { by: "×", value: 6.1988, unit: "s" },
      ],
      unit: "px",
    },
  ]);
  expect(lines).toEqual([
    "Speed: √(150² + 540²) = 560.45 px a second.",
    "With tolerance: 560.45 × 1.5 = 840.67 px a second.",
    "Time: 6.1479 + 0.0509 = 6.1988 s.",
    "Possible: 840.67 px a second × 6.1988 s = 5,211 px.",
  ]);
  const [mixed] = calculationLines([
    {
      what: "Speed",
      terms: [
        { value: 60, unit: "px" },
        { by: "-", value: -3 },
        { by: "÷", value: 0.21, unit: "s" },
      ],
      unit: "px/s",
    },
  ]);
  expect(mixed).toBe("Speed: (60 px - (-3)) ÷ 0.21 s = 300 px a second.");
});
