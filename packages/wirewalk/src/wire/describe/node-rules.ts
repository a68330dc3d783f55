/** What a node says with several of its keys together. The form of each key is checked before. */
import type { LayoutNode } from "../describe/node.ts";
import { among, type Place, refusedJson, wholeAt } from "./json-checks.ts";
import type { ByKind } from "./node-kinds.ts";
import { namesIn } from "./values.ts";

/** Whether the value is a number. */
export const isNumber = (of: LayoutNode | undefined): boolean =>
  of?.kind === "smart" || (of?.kind === "integer" && of.bits <= 32);

/** Whether it is a whole number of at most 32 bits. */
export const isWhole = (of: LayoutNode): boolean =>
  isNumber(of) && !(of.kind === "integer" && of.divisor !== undefined);

const wholeBytes = ({ bits }: { readonly bits: number }, path: string, { inBits }: Place): void => {
  if (!inBits && bits % 8 !== 0) throw refusedJson(`${path}.bits`, "outside of bits it must be whole bytes");
};
const amongBytes = ({ kind }: LayoutNode, path: string, { inBits }: Place): void => {
  if (inBits) throw refusedJson(path, `${kind} stands among whole bytes, never within bits`);
};
const amongBits = ({ kind }: LayoutNode, path: string, { inBits }: Place): void => {
  if (!inBits) throw refusedJson(path, `${kind} stands within bits`);
};

const needsOne = (entries: object, path: string): void => {
  if (Object.keys(entries).length === 0) throw refusedJson(path, "it must not be empty");
};

/** By kind. Each throws a `WireError` that names the place. */
export const rules: Partial<ByKind<[path: string, place: Place], void>> = {
  integer(integer, path, place) {
    wholeBytes(integer, path, place);
    const { bits, signed, order } = integer;
    if (bits > 32 && bits !== 64) throw refusedJson(`${path}.bits`, "it must be an integer in 1..32, or 64");
    const keys = ["transform", "bias", "divisor", "min", "max"].filter((key) => Object.hasOwn(integer, key));
    if (bits === 64 && (signed || order !== "le" || keys.length > 0))
      throw refusedJson(`${path}.bits`, "64 bits are an unsigned number, le, with nothing more");
  },
  smart({ max = 0, wide }, path) {
    if (wide === undefined) wholeAt(max, `${path}.max`, 0, 0x7fff);
  },
  oneOf: ({ names }, path) => needsOne(names, `${path}.names`),
  prefix(prefix, path, place) {
    amongBits(prefix, path, place);
    needsOne(prefix.codes, `${path}.codes`);
  },
  literal({ of, value }, path) {
    const wanted = isNumber(of) ? "number" : of.kind === "text" ? "string" : undefined;
    if (wanted === undefined) throw refusedJson(`${path}.of`, "it must be a number or a text");
    if (typeof value !== wanted)
      throw refusedJson(`${path}.value`, `it must be a ${wanted === "number" ? wanted : "text"}`);
  },
  unused: wholeBytes,
  bytes({ length, inside, readings }, path) {
    if ((inside ?? readings) !== undefined && typeof length !== "number")
      throw refusedJson(`${path}.length`, "bytes with a meaning have a fixed length");
  },
  text({ charset, length }, path) {
    if ("count" in length && charset !== "latin1")
      throw refusedJson(`${path}.charset`, "a text with a count is latin1");
  },
  struct({ fields, order = [] }, path) {
    const stranger = order.findIndex((each) => fields.every(({ name: own }) => own !== each && own !== ""));
    if (stranger >= 0) throw refusedJson(`${path}.order[${stranger}]`, "it must name a field");
  },
  variant({ tag: of, cases }, path, place) {
    needsOne(cases, `${path}.cases`);
    const names = Object.keys(namesIn(of) ?? {});
    const taken = new Set<string | number | undefined>();
    const take = (own: string | number | undefined, where: string): void => {
      if (taken.has(own))
        throw refusedJson(where, own === undefined ? "another case has all other tags" : "it is taken");
      taken.add(own);
    };
    for (const [at, { tags }] of cases.entries()) {
      if (tags === undefined) take(undefined, `${path}.cases[${at}]`);
      for (const [index, own] of (tags ?? []).entries()) {
        const where = `${path}.cases[${at}].tags[${index}]`;
        if (isNumber(of)) wholeAt(own, where, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
        else among(...names)(own, where, place);
        take(own, where);
      }
    }
  },
  bits: amongBytes,
  peek({ cases }, path) {
    needsOne(cases, `${path}.cases`);
    const wrong = cases.findIndex(({ when }, at) => (when === undefined) !== (at === cases.length - 1));
    if (wrong >= 0) throw refusedJson(`${path}.cases[${wrong}].when`, "every case but the last has a test");
  },
  mark(mark, path, place) {
    amongBits(mark, path, place);
    needsOne(mark.parts, `${path}.parts`);
  },
  limited: amongBytes,
  sized: amongBytes,
  compressed: amongBytes,
};
