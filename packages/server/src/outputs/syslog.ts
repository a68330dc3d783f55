/** Syslog messages (RFC 5424) over UDP (RFC 5426), one a datagram, or over TCP with their length before them (RFC 6587). */
import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import type { OutputEvent } from "./output-events.ts";
import type { OutputTarget } from "./output-targets.ts";
import type { Sender } from "./sender.ts";
import { textOf } from "./template.ts";

type SyslogTarget = Extract<OutputTarget, { readonly kind: "syslog" }>;

/** Facility local0; severities notice for what is found, warning for what follows from it. */
const FACILITY = 16;
const NOTICE = 5;
const WARNING = 4;
/** A receiver takes at least 480 bytes, and should take 2,048 (RFC 5424, 6.1). */
const MAX_BYTES = 2_048;
const CONNECT_MS = 5_000;

export function syslogMessage(event: OutputEvent, templates: SyslogTarget["templates"], host = hostname()): Buffer {
  const priority = FACILITY * 8 + (event.event === "verdict" ? NOTICE : WARNING);
  const time = new Date(event.epochMs).toISOString();
  const head = `<${priority}>1 ${time} ${host.replaceAll(/[^\x21-\x7e]/g, "") || "-"} wirewalk ${process.pid} ${event.event} - `;
  return Buffer.from(head + textOf(event, templates)).subarray(0, MAX_BYTES);
}

export function syslogSender({ transport, host, port, templates }: SyslogTarget): Sender {
  if (transport === "udp") {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    socket.unref();
    socket.on("error", () => {});
    return {
      send: (event) =>
        new Promise((resolve, reject) => {
          socket.send(syslogMessage(event, templates), port, host, (error) =>
            error === null ? resolve() : reject(error),
          );
        }),
      close: () => socket.close(),
    };
  }
  let socket: Socket | undefined;
  return {
    async send(event) {
      socket ??= await connected(host, port);
      const open = socket;
      const message = syslogMessage(event, templates);
      await new Promise<void>((resolve, reject) => {
        const fail = (): void => {
          socket = undefined;
          open.destroy();
          reject(new Error("the connection is lost"));
        };
        const timer = setTimeout(fail, CONNECT_MS);
        open.write(Buffer.concat([Buffer.from(`${message.length} `), message]), (error) => {
          clearTimeout(timer);
          if (error === undefined || error === null) resolve();
          else fail();
        });
      });
    },
    close: () => socket?.destroy(),
  };
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    socket.once("connect", () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once("timeout", () => socket.destroy(new Error("no connection in time")));
    socket.on("error", reject);
  });
}
