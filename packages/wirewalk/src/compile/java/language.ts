/** Java 17: one class for a dialect, with records, sealed interfaces and enums. */
import type { Language } from "../language.ts";
import { javaDriver } from "./driver.ts";
import { javaClassName, javaModule } from "./module.ts";
import { javaTest } from "./test.ts";
import { javaTypeNames } from "./types.ts";

export const java: Language = {
  name: "java",
  title: "Java 17",
  reserved: javaTypeNames,
  codec: (source) => ({ name: `${classOf(source)}.java`, text: javaModule(classOf(source), source) }),
  test: (source, vectors) => ({
    name: `${classOf(source)}Test.java`,
    text: javaTest(classOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${classOf(source)}Proof.java`, text: javaDriver(classOf(source), source.dialect) }),
};

const classOf = ({ game, dialect }: Parameters<Language["codec"]>[0]): string =>
  javaClassName(game, dialect.dialect.dialect);
