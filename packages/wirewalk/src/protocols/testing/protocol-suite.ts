/**
 * The contract of a protocol as rules that run: one suite for every game, each of its dialects, and any protocol that is
 * made elsewhere. It needs no particular test runner.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 * import { describeProtocol } from "wirewalk/testing";
 *
 * describeProtocol({ describe, it }, slimeOnline2);
 * ```
 *
 * A rule is a function of a seed that throws when the protocol breaks it. `npm test` checks each with one seed; the fuzzer
 * checks them with new seeds for as long as it runs.
 *
 * A game of bytes only is checked by the rules of codecs; the rules that need a channel or a world are left out, and said so.
 */
import { createRandom } from "../../motion/index.ts";
import { hasMembers, missingMembers } from "../members.ts";
import type { PlayMember, Protocol } from "../protocol.ts";
import { channelRules } from "./channel-rules.ts";
import { codecRules } from "./codec-rules.ts";
import { sides } from "./payloads.ts";
import { type LeftOutRule, must, mustThrow, type Rule, type RuleFor, type RuleSet } from "./rule.ts";
import { savedWorldRules } from "./saved-world-rules.ts";
import { Subject, type SuiteOptions } from "./subject.ts";
import { worldRules } from "./world-rules.ts";

type MakeTest = (name: string, test: () => void) => unknown;

/** What of a test runner the suite calls. */
export interface TestRunner {
  readonly describe: (name: string, tests: () => void) => unknown;
  /** Rules that are left out are skipped where the runner can skip, and otherwise tests that say so by their names. */
  readonly it: MakeTest & { readonly skip?: MakeTest };
}

/** Makes one test of each rule, for each dialect. A rule that needs a member which the protocol lacks is named, with the reason. */
export function describeProtocol(
  { describe, it }: TestRunner,
  protocol: Protocol,
  options: SuiteOptions & { readonly seeds?: readonly number[] } = {},
): void {
  const { seeds = [1] } = options;
  const checkAll = ({ isFixed, check }: Rule): void => {
    for (const seed of isFixed === true ? seeds.slice(0, 1) : seeds) check(seed);
  };
  describe(`the protocol ${protocol.name}`, () => {
    for (const rule of protocolRules(protocol)) it(rule.name, () => checkAll(rule));
  });
  for (const { name: dialect } of protocol.dialects) {
    describe(`${protocol.name} in dialect ${dialect}`, () => {
      for (const rule of dialectRules(protocol, dialect, options)) it(rule.name, () => checkAll(rule));
      const leaveOut = it.skip ?? it;
      for (const { name, why } of leftOutRules(protocol)) leaveOut(`${name} (left out: ${why})`, () => undefined);
    });
  }
}

/** The rules about one dialect, but for those of {@link leftOutRules}. */
export function dialectRules(protocol: Protocol, dialect: string, options?: SuiteOptions): readonly Rule[] {
  const subject = new Subject(protocol, dialect, options);
  const rulesOf = <M extends PlayMember>({ needs, rules }: RuleSet<M, Subject<M>>): readonly Rule[] => {
    if (!subject.has(needs)) return [];
    return rules.map((rule) => ({ ...rule, check: (seed) => rule.check(subject, seed) }));
  };
  return [...rulesOf(codecRules), ...rulesOf(channelRules), ...rulesOf(worldRules), ...rulesOf(savedWorldRules)];
}

/** The rules by which a protocol cannot be checked, since it lacks what they are about. None of a game with every member. */
export function leftOutRules(protocol: Protocol): readonly LeftOutRule[] {
  return [channelRules, worldRules, savedWorldRules].flatMap(({ needs, rules }) => {
    const why = missingMembers(protocol, needs);
    return why === undefined ? [] : rules.map(({ name }: Pick<RuleFor<never>, "name">) => ({ name, why }));
  });
}

/** Names that are not dialects: made up, almost right, and what every object answers to. */
const unknownDialects = ["", "no-such-dialect", "Documented", "constructor", "__proto__", "toString"];

/** The rules about a protocol as a whole. */
export function protocolRules(protocol: Protocol): readonly Rule[] {
  return [
    { name: "every member refuses unknown dialects", isFixed: true, check: () => checkUnknownDialects(protocol) },
    {
      name: "it has dialects, each named once",
      isFixed: true,
      check: () => checkDialects(protocol),
    },
  ];
}

function checkDialects({ dialects }: Protocol): void {
  const names = dialects.map(({ name }) => name);
  must(names.length > 0, () => "it has none");
  must(new Set(names).size === names.length, () => `twice in ${names.join(", ")}`);
}

function checkUnknownDialects(protocol: Protocol): void {
  const { bots, capabilities } = protocol;
  const login = capabilities?.login;
  for (const dialect of unknownDialects) {
    const random = createRandom(1);
    const calls: Readonly<Record<string, () => unknown>> = {
      codec: () => protocol.codec(dialect),
      ...(hasMembers(protocol, ["createWorld"])
        ? { createWorld: () => protocol.createWorld({ dialect, seed: 1 }) }
        : {}),
      ...(bots === undefined ? {} : { createBot: () => bots.create({ dialect, random, number: 0, cheat: "none" }) }),
      ...(login === undefined ? {} : { admission: () => login.admission(dialect) }),
    };
    for (const [name, call] of Object.entries(calls)) {
      mustThrow(call, [RangeError], () => `${name} of dialect ${JSON.stringify(dialect)}`);
    }
    if (!hasMembers(protocol, ["openChannel"])) continue;
    for (const side of sides) {
      for (const carrier of ["stream", "message"] as const) {
        const open = (): unknown =>
          side === "server"
            ? protocol.openChannel({ side, dialect, carrier })
            : protocol.openChannel({ side, dialect, carrier });
        mustThrow(open, [RangeError], () => `openChannel of dialect ${JSON.stringify(dialect)} (${side}, ${carrier})`);
      }
    }
  }
}
