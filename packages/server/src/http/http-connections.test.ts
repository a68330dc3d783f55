import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { aMoment, until, WebClient } from "../testing/clients.ts";
import { HttpConnections } from "./http-connections.ts";

/** A socket as far as the list uses it. */
class FakeSocket {
  isDestroyed = false;
  #closed: (() => void) | undefined;

  once(_event: "close", call: () => void): void {
    this.#closed = call;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.#closed?.();
  }
}

function arrange(limit: number) {
  const connections = new HttpConnections(limit);
  const add = (address?: string): FakeSocket => {
    const socket = new FakeSocket();
    connections.add(socket as unknown as Socket, address);
    return socket;
  };
  const request = (socket: FakeSocket): (() => void) => connections.request(socket as unknown as Socket);
  return { connections, add, request };
}

describe("too many connections", () => {
  test("the oldest without a request goes first", () => {
    const { connections, add, request } = arrange(3);
    const [busy, idle, fresh] = [add("a"), add("b"), add("c")];
    const done = request(busy);
    add("d");
    expect([busy.isDestroyed, idle.isDestroyed, fresh.isDestroyed]).toEqual([false, true, false]);
    done();
    add("e");
    expect([busy.isDestroyed, fresh.isDestroyed]).toEqual([true, false]);
    expect([connections.size, connections.evicted]).toEqual([3, 2]);
  });

  test("with a request each, the oldest goes", () => {
    const { add, request } = arrange(2);
    const [first, second] = [add("a"), add("b")];
    request(first);
    request(second);
    add("c");
    expect([first.isDestroyed, second.isDestroyed]).toEqual([true, false]);
  });

  test("of one address with its share, that address's own go", () => {
    const { add } = arrange(8);
    const other = add("other");
    const [first, second] = [add("flood"), add("flood")];
    add("flood");
    expect([other.isDestroyed, first.isDestroyed, second.isDestroyed]).toEqual([false, true, false]);
  });

  test("a named proxy may have them all", () => {
    const { connections, add } = arrange(8);
    const sockets = Array.from({ length: 8 }, () => add());
    expect(sockets.some(({ isDestroyed }) => isDestroyed)).toBe(false);
    add();
    expect([sockets[0]?.isDestroyed, connections.size]).toEqual([true, 8]);
  });

  test("closed ones, and those that became WebSockets, do not count", () => {
    const { connections, add } = arrange(8);
    const [closed, upgraded] = [add("a"), add("a")];
    closed.destroy();
    connections.remove(upgraded as unknown as Socket);
    connections.remove(upgraded as unknown as Socket);
    add("a");
    expect([connections.size, connections.evicted, upgraded.isDestroyed]).toEqual([1, 0, false]);
    expect(() => connections.request(closed as unknown as Socket)()).not.toThrow();
  });
});

describe("a server", () => {
  let server: RunningServer | undefined;
  const silent: Socket[] = [];
  afterEach(async () => {
    for (const socket of silent.splice(0)) socket.destroy();
    await server?.close({ graceMs: 0 });
  });

  test("answers pages and opens WebSockets beside silent connections, more than it has room for", async () => {
    server = await startServer({ http: 0, budgets: { httpConnections: 8 }, listeners: [{ protocol: fakeProtocol }] });
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    for (let index = 0; index < 30; index += 1) {
      const socket = connect(port, host);
      silent.push(socket);
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("connect", resolve));
    }
    const player = await WebClient.to(server.httpAddress, "/ws/fake");
    expect((await fetch(`http://${host}:${port}/livez`)).status).toBe(200);
    await until("most silent ones are gone", () => silent.filter(({ destroyed }) => destroyed).length >= 28);
    // A WebSocket is none of them.
    await aMoment(5);
    expect(player.closed).toBeUndefined();
  });
});
