/** The contract suite, for protocols of this package and of others. */
export { describeProtocol, dialectRules, leftOutRules, protocolRules, type TestRunner } from "./protocol-suite.ts";
export type { LeftOutRule, Rule } from "./rule.ts";
export type { SuiteOptions } from "./subject.ts";
