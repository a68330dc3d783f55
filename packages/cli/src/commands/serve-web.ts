/** The flags of `wirewalk serve` that say who may use its web side, and the files that they name. */

import { readFileSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import type { ServerOptions } from "@wirewalk/server";
import type { Command } from "commander";
import { FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { collect } from "../input/collect.ts";

export interface WebFlags {
  readonly host: string;
  readonly http: number;
  readonly publicHost?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly admin?: string;
  readonly adminTokenFile?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** What the server takes from these flags. */
export type WebOptions = Pick<ServerOptions, "publicHosts" | "admin" | "adminToken" | "certificate">;

/** What is read again at SIGHUP. */
export type WebSecrets = Pick<ServerOptions, "adminToken" | "certificate">;

export function addWebFlags(serve: Command): Command {
  return serve
    .option("--public-host <name>", "also answer HTTP under this name, such as play.example.org", collect)
    .option(
      "--admin <host:port>",
      "address of its own for the page, its feed and the metrics (default: with the games on loopback; with another --host, a " +
        "--public-host or a --trust-proxy, the port after --http on 127.0.0.1)",
    )
    .option("--admin-token-file <file>", "file with a token that the page, its feed and the metrics ask for")
    .option("--tls-cert <file>", "certificate with its chain, as PEM: HTTP becomes HTTPS; read again at SIGHUP")
    .option("--tls-key <file>", "key of the certificate, as PEM");
}

/** Throws `UsageError` for flags that do not go together, `FailedError` for a file that cannot be read. */
export function chooseWeb(flags: WebFlags, bots: number): WebOptions {
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    throw new UsageError("--tls-cert and --tls-key need each other");
  }
  for (const name of flags.publicHost ?? []) checkName(name);
  const admin = chooseAdmin(flags);
  const isPlain = flags.tlsCert === undefined || (admin !== undefined && isLoopback(admin.host));
  if (bots > 0 && !isPlain) {
    throw new UsageError("--bots cannot connect over TLS: --admin 127.0.0.1:7401 gives them an address without it");
  }
  if (admin !== undefined && !isLoopback(admin.host) && flags.adminTokenFile === undefined) {
    throw new UsageError(`--admin ${flags.admin} can be reached by others: it needs --admin-token-file`);
  }
  return {
    ...readSecrets(flags),
    ...(flags.publicHost === undefined ? {} : { publicHosts: flags.publicHost }),
    ...(admin === undefined ? {} : { admin }),
  };
}

/** Reads the files of the token and the certificate. Throws `FailedError` for one that cannot be read. */
export function readSecrets({ adminTokenFile, tlsCert, tlsKey }: WebFlags): WebSecrets {
  const certificate =
    tlsCert === undefined || tlsKey === undefined ? undefined : { cert: read(tlsCert), key: read(tlsKey) };
  const adminToken = adminTokenFile === undefined ? undefined : read(adminTokenFile).trim();
  return {
    ...(adminToken === undefined ? {} : { adminToken }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

function chooseAdmin(flags: WebFlags): { readonly host: string; readonly port: number } | undefined {
  if (flags.admin !== undefined) return parseAddress(flags.admin);
  const isPublic = !isLoopback(flags.host) || flags.publicHost !== undefined || flags.trustProxy !== undefined;
  if (!isPublic || flags.adminTokenFile !== undefined) return undefined;
  const port = flags.http === 0 || flags.http === 65_535 ? 0 : flags.http + 1;
  return { host: "127.0.0.1", port };
}

function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits = ""] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? "";
  const port = Number(digits);
  const isHost = bracketed === undefined ? host !== "" : isIPv6(host);
  if (isHost && digits !== "" && port <= 65_535) return { host, port };
  throw new UsageError(`--admin ${text} is not a host and a port: it must look like 127.0.0.1:7401 or [::1]:7401`);
}

function checkName(name: string): void {
  if (/^[a-z0-9._-]+$/i.test(name)) return;
  throw new UsageError(
    `--public-host ${name} is not a host name: it must look like play.example.org, without a scheme or port`,
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new FailedError(`Cannot read ${path}: ${fileReason(error)}`);
  }
}
