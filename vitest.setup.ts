import fc from "fast-check";
import { caseSeed, propertyRuns } from "./packages/wirewalk/src/testing/scale.ts";

fc.configureGlobal({ numRuns: propertyRuns, ...(caseSeed === undefined ? {} : { seed: caseSeed }) });
