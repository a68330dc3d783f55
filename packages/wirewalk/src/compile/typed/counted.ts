/**
 * The steps of the function that counts what a writer writes: those of the writer without stores and checks, without what only these ask
 * for, and with counts that follow one another added up.
 */
import type { PrintStyle } from "./step-printer.ts";
import type { TypedWriteStep } from "./write.ts";

type Style = Pick<PrintStyle<unknown>, "loopsByLength" | "unwraps">;

/** The steps that count in a language of a style. */
export function countedSteps(steps: readonly TypedWriteStep[], style: Style): readonly TypedWriteStep[] {
  return counted(steps, new Set(), style);
}

/** From the last step to the first: `asked` are the names that the steps behind look at. */
function counted(steps: readonly TypedWriteStep[], asked: Set<string>, style: Style): readonly TypedWriteStep[] {
  const kept: TypedWriteStep[] = [];
  for (const step of steps.toReversed()) {
    const own = countedStep(step, asked, style);
    if (own === undefined) continue;
    const next = kept[0];
    const sum = next === undefined ? undefined : added(own, next);
    if (sum !== undefined) kept[0] = sum;
    else kept.unshift(own);
  }
  return kept;
}

/** What a step counts; undefined for nothing. */
function countedStep(step: TypedWriteStep, asked: Set<string>, style: Style): TypedWriteStep | undefined {
  const asks = (...names: readonly string[]): void => {
    for (const name of names) asked.add(name);
  };
  switch (step.step) {
    case "toBits":
    case "toBytes":
    case "advance":
    case "refuse":
    case "end":
      return step;
    case "smart":
    case "bytes":
    case "text":
    case "call":
    case "sized":
    case "deflate":
      asks(step.of.name);
      return step;
    case "require":
      return style.unwraps && asked.has(step.of.name) ? step : undefined;
    case "get":
      if (!asked.has(step.to.name)) return undefined;
      asks(step.of.name);
      return step;
    case "length":
      if (!asked.has(step.to.name)) return undefined;
      asks(step.of.name);
      return step;
    case "match": {
      const cases = step.cases.map((each) => ({ ...each, body: counted(each.body, asked, style) }));
      if (cases.every(({ body }) => body.length === 0)) return undefined;
      asks(step.of.name);
      return { ...step, cases };
    }
    case "choose": {
      const cases = step.cases.map((each) => ({ ...each, body: counted(each.body, asked, style) }));
      const no = counted(step.no, asked, style);
      if (no.length === 0 && cases.every(({ body }) => body.length === 0)) return undefined;
      asks(step.of.name);
      return { ...step, cases, no };
    }
    case "if": {
      const [yes, no] = [counted(step.yes, asked, style), counted(step.no, asked, style)];
      if (yes.length === 0 && no.length === 0) return undefined;
      asks(...namesIn(step.test));
      return { ...step, yes, no };
    }
    case "list": {
      const body = counted(step.body, asked, style);
      if (body.length === 0) return undefined;
      asks(step.of.name, ...(style.loopsByLength ? [step.length.name] : []));
      const { until: _, ...rest } = step;
      return { ...rest, body, usesItem: step.usesItem && asked.has(step.item.name) };
    }
    default:
      return undefined;
  }
}

/** Two steps as one, where the second goes on from the place that the first has moved. */
function added(step: TypedWriteStep, next: TypedWriteStep): TypedWriteStep | undefined {
  if (step.step !== "advance") return undefined;
  if (next.step === "advance" && next.base === step.base) return { ...next, bits: step.bits + next.bits };
  if (next.step === "end" && next.place.base === step.base)
    return { ...next, place: { ...next.place, bits: next.place.bits + step.bits } };
  return undefined;
}

/** The names of the locals that a test looks at. */
function namesIn(data: unknown): readonly string[] {
  if (Array.isArray(data)) return data.flatMap(namesIn);
  if (typeof data !== "object" || data === null) return [];
  if ("name" in data && "type" in data && typeof data.name === "string") return [data.name];
  return Object.values(data).flatMap(namesIn);
}
