/**
 * The steps of the function that counts what a writer writes: those of the writer without stores and checks, without what only these ask
 * for, and with counts that follow one another added up.
 */
import type { TypedWriteStep } from "./write.ts";

/** The steps that count; `loopsByLength`: whether a loop over a list asks for its length. */
export function countedSteps(steps: readonly TypedWriteStep[], loopsByLength: boolean): readonly TypedWriteStep[] {
  return counted(steps, new Set(), loopsByLength);
}

/** From the last step to the first: `asked` are the names that the steps behind look at. */
function counted(
  steps: readonly TypedWriteStep[],
  asked: Set<string>,
  loopsByLength: boolean,
): readonly TypedWriteStep[] {
  const kept: TypedWriteStep[] = [];
  for (const step of steps.toReversed()) {
    const own = countedStep(step, asked, loopsByLength);
    if (own === undefined) continue;
    const next = kept[0];
    const sum = next === undefined ? undefined : added(own, next);
    if (sum !== undefined) kept[0] = sum;
    else kept.unshift(own);
  }
  return kept;
}

/** What a step counts; undefined for nothing. */
function countedStep(step: TypedWriteStep, asked: Set<string>, loopsByLength: boolean): TypedWriteStep | undefined {
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
    case "get":
      if (!asked.has(step.to.name)) return undefined;
      asks(step.of.name);
      return step;
    case "length":
      if (!asked.has(step.to.name)) return undefined;
      asks(step.of.name);
      return step;
    case "match": {
      const cases = step.cases.map((each) => ({ ...each, body: counted(each.body, asked, loopsByLength) }));
      if (cases.every(({ body }) => body.length === 0)) return undefined;
      asks(step.of.name);
      return { ...step, cases };
    }
    case "choose": {
      const cases = step.cases.map((each) => ({ ...each, body: counted(each.body, asked, loopsByLength) }));
      const no = counted(step.no, asked, loopsByLength);
      if (no.length === 0 && cases.every(({ body }) => body.length === 0)) return undefined;
      asks(step.of.name);
      return { ...step, cases, no };
    }
    case "if": {
      const [yes, no] = [counted(step.yes, asked, loopsByLength), counted(step.no, asked, loopsByLength)];
      if (yes.length === 0 && no.length === 0) return undefined;
      asks(...namesIn(step.test));
      return { ...step, yes, no };
    }
    case "list": {
      const body = counted(step.body, asked, loopsByLength);
      if (body.length === 0) return undefined;
      asks(step.of.name, ...(loopsByLength ? [step.length.name] : []));
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
