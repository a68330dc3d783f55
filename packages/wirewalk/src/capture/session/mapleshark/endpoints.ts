/**
 * Who the endpoints of a head are.
 *
 * QUIRK (sheet 2.5): MapleShark's `localEndpoint` is the server and its `remoteEndpoint` the client, while `localPort` is the client's
 * port and `remotePort` the server's. Servers that write these files have each beside its own port. An endpoint mostly ends in its
 * port, which tells the two apart.
 */
import type { HeadFields } from "./head.ts";

/** What stands for an unknown part of a flow. */
const UNKNOWN = "?";
/** What MapleShark writes for an endpoint that it does not know. */
const MAPLESHARK_UNKNOWN = "???";

/** `client:port-server:port`. */
export function flowOf({ localEndpoint = "", localPort, remoteEndpoint = "", remotePort }: HeadFields): string {
  const local = split(localEndpoint);
  const remote = split(remoteEndpoint);
  const [client, server] = isSwapped(local, remote, localPort, remotePort) ? [remote, local] : [local, remote];
  return `${show(client, localPort)}-${show(server, remotePort)}`;
}

/** The endpoints of a flow as MapleShark itself writes them. */
export function endpointsOf(flow: string): Omit<HeadFields, "build"> {
  const [, client = "", clientPort = "", server = "", serverPort = ""] = /^(.*):(\d+)-(.*):(\d+)$/.exec(flow) ?? [];
  const name = (address: string, port: string): string =>
    address === "" || address === UNKNOWN ? MAPLESHARK_UNKNOWN : `${address}:${port}`;
  return {
    localEndpoint: name(server, serverPort),
    localPort: Number(clientPort),
    remoteEndpoint: name(client, clientPort),
    remotePort: Number(serverPort),
  };
}

interface Endpoint {
  readonly address: string;
  readonly port: number | undefined;
}

function split(endpoint: string): Endpoint {
  const [, address = endpoint, port] = /^(.*):(\d{1,5})$/.exec(endpoint) ?? [];
  return { address: knownOf(address), port: port === undefined ? undefined : Number(port) };
}

/** What a file says of an endpoint, as a flow says it. */
export function knownOf(text: string): string {
  return text === "" || text === MAPLESHARK_UNKNOWN ? UNKNOWN : text;
}

/** Without ports in the endpoints, a server wrote the file or a text log was imported: nothing is swapped then. */
function isSwapped(local: Endpoint, remote: Endpoint, localPort: number, remotePort: number | undefined): boolean {
  return remotePort !== undefined && (local.port === remotePort || remote.port === localPort);
}

function show({ address, port }: Endpoint, portOfHead: number | undefined): string {
  const shown = port ?? portOfHead;
  return shown === undefined ? address : `${address}:${shown}`;
}
