import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-accounts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = ["--data", folder];

test("accounts are added, listed and removed", async () => {
  expect(await runCommand(["accounts", "list", ...at])).toMatchObject({ code: 0, stdout: "There are no accounts.\n" });
  const add = ["accounts", "add", "fake", "ann", ...at];
  expect(await runCommand(add, "secret\nmore\n")).toEqual({
    code: 0,
    stdout: "fake: ann has an account\n",
    stderr: "",
  });
  expect(await runCommand(add, "other\n")).toMatchObject({
    code: 1,
    stderr: "wirewalk: account 'ann' of fake exists\n",
  });
  expect(await runCommand(["accounts", "list", ...at])).toMatchObject({ stdout: "fake  ann\n" });
  const misspelt = await runCommand(["accounts", "remove", "fake", "anm", ...at]);
  expect(misspelt).toMatchObject({ code: 1, stderr: "wirewalk: fake has no account 'anm'; did you mean ann?\n" });
  const removed = await runCommand(["accounts", "remove", "fake", "ann", ...at]);
  expect(removed).toMatchObject({ code: 0, stdout: "fake: ann has no account any more\n" });
  expect(await runCommand(["accounts", "list", ...at])).toMatchObject({ stdout: "There are no accounts.\n" });
});

test("an account without a password, without a valid name, of a game without a login, or nowhere is refused", async () => {
  const empty = await runCommand(["accounts", "add", "fake", "bob", ...at], "");
  expect(empty).toMatchObject({ code: 2 });
  expect(empty.stderr).toBe("wirewalk: the password is missing: it is the first line of the standard input\n");
  const long = await runCommand(["accounts", "add", "fake", "b".repeat(65), ...at], "secret");
  expect(long).toMatchObject({ code: 2, stderr: "wirewalk: An account's name must have 1 to 64 characters\n" });
  const osrs = await runCommand(["accounts", "add", "osrs", "bob", ...at], "secret");
  expect(osrs).toMatchObject({
    code: 2,
    stderr: "wirewalk: osrs has no login: accounts are for fake, slime-online-2\n",
  });
  const nowhere = join(folder, "nowhere");
  expect(await runCommand(["accounts", "list", "--data", nowhere])).toMatchObject({ code: 1 });
  expect(existsSync(nowhere)).toBe(false);
});
