import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { gameViews } from "./table.ts";

const studioSheet = readFileSync(new URL("../studio.css", import.meta.url), "utf8");
const sheets = Array.from(studioSheet.matchAll(/@import "(.+?)"/g), ([, path = ""]) =>
  readFileSync(new URL(`../${path}`, import.meta.url), "utf8"),
);

test.each(Object.entries(gameViews))("%s draws a protocol that there is", (name, view) => {
  expect(view.protocol).toBe(name);
  expect(protocols[name]?.name).toBe(name);
});

test.each(Object.values(gameViews))("every mark in the legend of $protocol has a sample", ({ legend }) => {
  const css = [studioSheet, ...sheets].join("\n");
  for (const { mark } of legend) expect(css, mark).toMatch(new RegExp(`\\.legend-${mark}\\b[^-]`));
});

test.each(Object.values(gameViews))("no mark in the legend of $protocol stands for two things", ({ legend }) => {
  expect(new Set(legend.map(({ mark }) => mark)).size).toBe(legend.length);
});
