/** The contract suite, for protocols of this package and of others. */
export { describeProtocol, dialectRules, protocolRules, type TestRunner } from "./protocol-suite.ts";
export type { Rule } from "./rule.ts";
export type { SuiteOptions } from "./subject.ts";
