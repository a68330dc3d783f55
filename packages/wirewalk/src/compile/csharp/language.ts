/** C#: one static class for a dialect, with classes, enums and nullable members; for Mono's `mcs` as for today's .NET. */
import type { Language } from "../language.ts";
import { csharpDriver } from "./driver.ts";
import { csharpClassName, csharpModule } from "./module.ts";
import { csharpTest } from "./test.ts";
import { csharpTypeNames } from "./types.ts";

export const csharp: Language = {
  name: "csharp",
  title: "C#",
  reserved: csharpTypeNames,
  codec: (source) => ({ name: `${classOf(source)}.cs`, text: csharpModule(classOf(source), source) }),
  test: (source, vectors) => ({
    name: `${classOf(source)}Test.cs`,
    text: csharpTest(classOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${classOf(source)}Proof.cs`, text: csharpDriver(classOf(source), source.dialect) }),
};

const classOf = ({ game, dialect }: Parameters<Language["codec"]>[0]): string =>
  csharpClassName(game, dialect.dialect.dialect);
