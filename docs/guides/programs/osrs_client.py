"""A client of Old School RuneScape's two movement streams in Python's standard library: it reads where all players are and sends its mouse.

python3 osrs_client.py HOST PORT NAME    until Ctrl+C

The numbers in brackets are sections of docs/protocols/osrs-player-info.md, those with an M of docs/protocols/osrs-mouse.md.
"""

import math
import select
import signal
import socket
import struct
import sys
import time

# 2.1 and M2.1: opcodes that both ends agree on.
INDEX, INIT, INFO, MOUSE = 1, 2, 3, 34
WALK = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
RUN = [(x, z) for z in range(-2, 3) for x in range(-2, 3) if max(abs(x), abs(z)) == 2]


class Bits:
    """1.4: most significant first. A read past the end raises ValueError."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        end = self.at + count
        if end > 8 * len(self.data):
            raise ValueError(f"bit {self.at}: {count} bits are not there")
        first, last = self.at // 8, (end + 7) // 8
        self.at = end
        return int.from_bytes(self.data[first:last], "big") >> 8 * last - end & (1 << count) - 1

    def align(self):
        self.at = (self.at + 7) // 8 * 8


class PlayerInfo:
    """3 to 5: what a client keeps of 2,047 players, dialect `client`."""

    def __init__(self, me, data):
        bits = Bits(data)
        self.me = me
        self.flags = [0] * 2048
        self.tiles = {me: [bits.take(2), bits.take(14), bits.take(14)]}
        self.quarters = {i: [bits.take(2), bits.take(8), bits.take(8)] for i in range(1, 2048) if i != me}

    def read(self, data):
        """Four passes over the lists as they are now. The masks behind them say how players look, and are left alone."""
        bits = Bits(data)
        local, external = sorted(self.tiles), sorted(self.quarters)
        for players, bit, read in (
            (local, 0, self.read_local),
            (local, 1, self.read_local),
            (external, 1, self.read_external),
            (external, 0, self.read_external),
        ):
            skip = 0
            for player in [p for p in players if self.flags[p] & 1 == bit]:
                if skip > 0:
                    skip -= 1
                    self.flags[player] |= 2
                elif bits.take(1):
                    read(bits, player)
                else:
                    size = bits.take(2)
                    skip = bits.take((0, 5, 8, 11)[size])
                    self.flags[player] |= 2
            if skip > 0:
                raise ValueError(f"bit {bits.at}: a skip of {skip} players too many")
            bits.align()
        self.flags = [flag >> 1 for flag in self.flags]

    def read_local(self, bits, player):
        """5.4 to 5.6."""
        pending, kind = bits.take(1), bits.take(2)
        tile = self.tiles[player]
        if kind == 0 and not pending:
            if player == self.me:
                raise ValueError(f"bit {bits.at}: the observer itself is removed")
            level, x, z = self.tiles.pop(player)
            self.quarters[player] = [level, x >> 13, z >> 13]
            if bits.take(1):
                flag = self.flags[player]
                self.read_external(bits, player)
                self.flags[player] = flag
        elif kind in (1, 2):
            dx, dz = WALK[bits.take(3)] if kind == 1 else RUN[bits.take(4)]
            tile[1:] = tile[1] + dx, tile[2] + dz
        elif kind == 3 and bits.take(1):
            tile[:] = tile[0] + bits.take(2) & 3, tile[1] + bits.take(14) & 16383, tile[2] + bits.take(14) & 16383
        elif kind == 3:
            level, dx, dz = bits.take(2), bits.take(5), bits.take(5)
            tile[:] = tile[0] + level & 3, tile[1] + (dx ^ 16) - 16, tile[2] + (dz ^ 16) - 16

    def read_external(self, bits, player):
        """5.7 to 5.9."""
        kind = bits.take(2)
        if kind:
            self.read_quarter(bits, player, kind)
            return
        if bits.take(1):
            self.read_quarter(bits, player, bits.take(2))
        level, x, z = self.quarters.pop(player)
        self.tiles[player] = [level, x * 8192 + bits.take(13), z * 8192 + bits.take(13)]
        bits.take(1)
        self.flags[player] |= 2

    def read_quarter(self, bits, player, kind):
        quarter = self.quarters[player]
        quarter[0] = quarter[0] + bits.take(2) & 3
        if kind == 2:
            dx, dz = WALK[bits.take(3)]
            quarter[1:] = quarter[1] + dx, quarter[2] + dz
        elif kind == 3:
            quarter[1:] = quarter[1] + bits.take(8) & 255, quarter[2] + bits.take(8) & 255


class MouseRecorder:
    """M5: samples of the pointer become records, and 40 of them a packet."""

    def __init__(self):
        self.waiting, self.threshold = [], 40
        self.x = self.y = -1
        self.time = None

    def sample(self, x, y, ms):
        """A packet's payload when it is time for one, else None."""
        self.waiting.append((x, y, ms))
        if len(self.waiting) < self.threshold:
            return None
        self.threshold = 39  # M5.2: the last sample stays waiting.
        records, residue, out = 0, 0, b""
        for x, y, ms in self.waiting:
            if (x, y) == (self.x, self.y):
                continue
            dt = 0x7FFFFFFF
            if self.time is not None:
                dt = (ms - self.time) // 20
                residue += (ms - self.time) % 20
            out += self.record(dt, x - self.x, y - self.y, x, y)
            records += 1
            self.x, self.y, self.time = x, y, ms
        self.waiting = []
        if records == 0:
            return None
        # M4.1: the mean and the remainder of what whole cycles leave over.
        return struct.pack(">bb", residue // records, residue % records) + out

    @staticmethod
    def record(dt, dx, dy, x, y):
        """M3.1 and M3.2: the shortest form that holds it."""
        if dt < 8 and -32 <= dx <= 31 and -32 <= dy <= 31:
            return struct.pack(">H", dt << 12 | dx + 32 << 6 | dy + 32)
        if dt < 32 and -128 <= dx <= 127 and -128 <= dy <= 127:
            return bytes([0x80 + dt, dx + 128, dy + 128])
        place = y << 16 | x
        if dt < 32:
            return struct.pack(">BI", 0xC0 + dt, place)
        return struct.pack(">HI", 0xE000 | dt & 8191, place)


class Client:
    def __init__(self, host, port, name):
        self.socket = socket.create_connection((host, port))
        self.name, self.received = name, b""
        self.index, self.players = 0, None
        self.shown = {}

    def read(self):
        while select.select([self.socket], [], [], 0)[0]:
            data = self.socket.recv(65536)
            if not data:
                return False
            self.received += data
        while self.received:
            # 2.2: only playerInfo says its size.
            opcode, start = self.received[0], 1
            size = {INDEX: 2, INIT: 4608}.get(opcode)
            if opcode == INFO:
                if len(self.received) < 3:
                    break
                size, start = struct.unpack_from(">H", self.received, 1)[0], 3
            if size is None:
                sys.exit(f"opcode {opcode} is not known")
            if len(self.received) < start + size:
                break
            body, self.received = self.received[start : start + size], self.received[start + size :]
            self.handle(opcode, body)
        return True

    def handle(self, opcode, body):
        if opcode == INDEX:
            self.index = struct.unpack(">H", body)[0]
        elif opcode == INIT:
            self.players = PlayerInfo(self.index, body)
            _, x, z = self.players.tiles[self.index]
            print(f"{self.name} is player {self.index} at {x}, {z}", flush=True)
        elif opcode == INFO:
            self.players.read(body)
            for player in self.shown.keys() - self.players.tiles.keys():
                print(f"{self.name} sees {player} leave", flush=True)
            for player, (level, x, z) in self.players.tiles.items():
                if self.shown.get(player) != (level, x, z) and player != self.index:
                    print(f"{self.name} sees {player} at {x}, {z}, level {level}", flush=True)
            self.shown = {player: tuple(tile) for player, tile in self.players.tiles.items() if player != self.index}

    def send_mouse(self, payload):
        """M2.1: opcode, size, payload."""
        self.socket.sendall(bytes([MOUSE, len(payload)]) + payload)


def main():
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    host, port, name = sys.argv[1:]
    client, mouse = Client(host, int(port), name), MouseRecorder()
    start, samples = time.monotonic(), 0
    while not stopped:
        if not client.read():
            sys.exit("the server closed the connection")
        while samples < (time.monotonic() - start) * 20:
            # M5.1: every 50 ms. This pointer goes round in a circle.
            ms = round((time.monotonic() - start) * 1000)
            x, y = 400 + 200 * math.cos(ms / 700), 300 + 150 * math.sin(ms / 700)
            payload = mouse.sample(round(x), round(y), ms)
            if payload is not None:
                client.send_mouse(payload)
                print(f"{name} sends its mouse: {len(payload)} bytes", flush=True)
            samples += 1
        time.sleep(0.005)
    if client.players is not None:
        _, x, z = client.players.tiles[client.index]
        print(f"{name} ends at {x}, {z}", flush=True)


main()
