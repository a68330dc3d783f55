import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "@wirewalk/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresServer, postgresPrograms } from "../../../postgres/src/testing/postgres-server.ts";
import { runCommand } from "../testing/run-command.ts";

const programs = postgresPrograms();
const folder = mkdtempSync(join(tmpdir(), "wirewalk-copy-"));
const data = join(folder, "data");
beforeAll(() => {
  const store = sqliteStore(data);
  store.put("accounts", "slime-online-2/ann", { salt: "00", hash: "11" });
  store.put("accounts", "slime-online-2/bob", { salt: "22", hash: "33" });
  store.put("odd", "\0", { text: "\u0000" });
  store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const copied = "accounts: 2 records\nodd: 1 records\n";

describe("store copy", () => {
  it("copies all records, and never over others", async () => {
    const to = join(folder, "copy");
    expect(await runCommand(["store", "copy", data, to])).toMatchObject({ code: 0, stdout: copied });
    const store = sqliteStore(to);
    expect(store.list("accounts").map(({ key }) => key)).toEqual(["slime-online-2/ann", "slime-online-2/bob"]);
    store.close();
    const again = await runCommand(["store", "copy", data, to]);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("has records already, in table accounts");
    const missing = await runCommand(["store", "copy", join(folder, "nothing"), to]);
    expect(missing.stderr).toContain(`there is no folder ${join(folder, "nothing")}`);
  });

  // Debian's package `postgresql`; `.ci/run` installs it.
  it.skipIf(programs === undefined)(
    "to PostgreSQL and back, where commands for bans and accounts find them",
    async () => {
      const server = new PostgresServer(programs ?? "");
      try {
        await server.start();
        expect(await runCommand(["store", "copy", data, server.url])).toMatchObject({ code: 0, stdout: copied });
        const list = await runCommand(["accounts", "list", "--data", server.url]);
        expect(list.stdout).toBe("slime-online-2  ann\nslime-online-2  bob\n");
        const back = join(folder, "back");
        expect(await runCommand(["store", "copy", server.url, back])).toMatchObject({ code: 0, stdout: copied });
        const store = sqliteStore(back);
        expect(store.list("odd")).toEqual([{ key: "\0", record: { text: "\u0000" } }]);
        store.close();
      } finally {
        await server.remove();
      }
    },
  );
});
