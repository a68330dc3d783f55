"""A client of MapleStory, GMS v62, in Python's standard library: it walks and jumps on a real map, and sees the other players.

python3 maplestory_client.py HOST PORT NAME MAPS    until Ctrl+C

MAPS is the folder with Map.wz whose maps the server has, as XML. The numbers in brackets are sections of docs/protocols/maplestory.md.
"""

import select
import signal
import socket
import struct
import sys
import time
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path

LOGGED_IN, PONG, MOVE = 0x14, 0x18, 0x26
PING, CHANGE_MAP, SHOW_PLAYER, REMOVE_PLAYER, PLAYER_MOVED = 0x11, 0x5C, 0x78, 0x79, 0x8D

# 2.5: the table of the roll.
TABLE = bytes.fromhex(
    "ec3f77a445d071bfb79820fc4be9b3e15c22f70c441b81bd638dd4c3f21019e0fba16e66eaaed6ce06184eeb7895dbbab6427a2a830b54676de865e72f07f3aa"
    "277b85b026fd8ba9fabea8d7cbcc92daf993602dddd2a29b395f82214c69f83187ee8ead8c6abcb56b5913f10400f65a3579488f15cd9757123e37ff9d4f51f5"
    "a370bb1475c2b872c0ed7d68c92e0d624617114d6cc47e53c125c79a1c88582c89dc026440015d38a5e2af55d5ef1a7ca75ba66f869f73e60ade2b994a479cdf"
    "09769e300ee4b294a03b341d280f36e323b403d890c83cfe5e3224501f3a438a964174ac5233f0d92980b116d3ab91b9847f611ecfc5d1563dcaf405c6e50849"
)


def roll(iv):
    n = [0xF2, 0x53, 0x50, 0xC6]
    for a in iv:
        n[0] = (n[0] + TABLE[n[1]] - a) & 255
        n[1] = (n[1] - (n[2] ^ TABLE[a])) & 255
        n[2] ^= (TABLE[n[3]] + a) & 255
        n[3] = (n[3] - n[0] + TABLE[a]) & 255
        number = int.from_bytes(bytes(n), "little")
        n = list((number << 3 & 0xFFFFFFFF | number >> 29).to_bytes(4, "little"))
    return bytes(n)


class Aes:
    """AES-256, encryption of blocks alone: output feedback needs no more. Python's standard library has none."""

    def __init__(self, key):
        power, self.box = [1], [0x63] * 256
        for _ in range(254):
            power.append(power[-1] ^ self.double(power[-1]))
        for i, number in enumerate(power):
            inverse = power[(255 - i) % 255]
            spread = inverse
            for shift in range(1, 5):
                spread ^= (inverse << shift | inverse >> 8 - shift) & 255
            self.box[number] = spread ^ 0x63
        words = [key[i : i + 4] for i in range(0, 32, 4)]
        for i in range(8, 60):
            word = words[-1]
            if i % 8 == 0:
                word = bytes(self.box[b] for b in word[1:] + word[:1])
                word = bytes([word[0] ^ self.power_of_two(i // 8 - 1)]) + word[1:]
            elif i % 8 == 4:
                word = bytes(self.box[b] for b in word)
            words.append(bytes(a ^ b for a, b in zip(words[-8], word)))
        self.rounds = [b"".join(words[i : i + 4]) for i in range(0, 60, 4)]

    @staticmethod
    def double(byte):
        return (byte << 1 ^ (0x11B if byte & 128 else 0)) & 255

    def power_of_two(self, exponent):
        byte = 1
        for _ in range(exponent):
            byte = self.double(byte)
        return byte

    def encrypt(self, block):
        state = [a ^ b for a, b in zip(block, self.rounds[0])]
        for number, key in enumerate(self.rounds[1:], 1):
            state = [self.box[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
            if number < 14:
                mixed = []
                for column in range(0, 16, 4):
                    a = state[column : column + 4]
                    for i in range(4):
                        b, c, d = a[(i + 1) % 4], a[(i + 2) % 4], a[(i + 3) % 4]
                        mixed.append(self.double(a[i]) ^ self.double(b) ^ b ^ c ^ d)
                state = mixed
            state = [a ^ b for a, b in zip(state, key)]
        return bytes(state)


AES = Aes(bytes(b for byte in bytes.fromhex("130806b41b0f3352") for b in (byte, 0, 0, 0)))


def feedback(iv, data):
    """2.4: output feedback that begins again after 1,456 bytes, and then after every 1,460."""
    out, at, limit = bytearray(), 0, 1456
    while at < len(data):
        block = iv * 4
        for i, byte in enumerate(data[at : at + limit]):
            if i % 16 == 0:
                block = AES.encrypt(block)
            out.append(byte ^ block[i % 16])
        at, limit = at + limit, 1460
    return bytes(out)


def rol(byte, count):
    return (byte << count % 8 | byte >> -count % 8) & 255 if count % 8 else byte


def shanda(data):
    data = bytearray(data)
    for _ in range(3):
        p, n = 0, len(data) & 255
        for i, d in enumerate(data):
            p ^= (rol(d, 3) + n) & 255
            data[i] = (~rol(p, 8 - n % 8) + 0x48) & 255
            n = (n - 1) & 255
        p, n = 0, len(data) & 255
        for i in reversed(range(len(data))):
            p ^= (rol(data[i], 4) + n) & 255
            data[i] = rol(p ^ 0x13, 5)
            n = (n - 1) & 255
    return bytes(data)


def unshanda(data):
    data = bytearray(data)
    for _ in range(3):
        p, n = 0, len(data) & 255
        for i in reversed(range(len(data))):
            s = rol(data[i], 3) ^ 0x13
            data[i], p = rol(((s ^ p) - n) & 255, 4), s
            n = (n - 1) & 255
        p, n = 0, len(data) & 255
        for i, d in enumerate(data):
            s = rol(~(d - 0x48) & 255, n % 8)
            data[i], p = rol(((s ^ p) - n) & 255, 5), s
            n = (n - 1) & 255
    return bytes(data)


class Map:
    """The ground of a map and the places where players come in, out of the client's own file."""

    def __init__(self, maps, number):
        path = Path(maps) / "Map.wz" / "Map" / f"Map{number // 100000000}" / f"{number:09}.img.xml"
        root = xml.parse(path).getroot()
        self.portals = {int(p.get("name")): self.numbers(p) for p in root.find("*[@name='portal']")}
        self.footholds = {
            int(f.get("name")): self.numbers(f) for layer in root.find("*[@name='foothold']") for group in layer for f in group
        }

    @staticmethod
    def numbers(node):
        return {child.get("name"): int(child.get("value")) for child in node if child.tag == "int"}

    def height(self, number, x):
        f = self.footholds[number]
        return f["y1"] + (f["y2"] - f["y1"]) * (x - f["x1"]) / (f["x2"] - f["x1"])

    def below(self, x, y):
        """The highest foothold at or below a place; walls and undersides are none."""
        there = [n for n, f in self.footholds.items() if f["x1"] < f["x2"] and f["x1"] <= x <= f["x2"] and self.height(n, x) >= y - 1]
        return min(there, key=lambda n: self.height(n, x), default=None)


class Body:
    """5: a body that walks, jumps and falls, in steps of 30 ms."""

    def __init__(self, place, ground):
        self.map = place
        self.x, self.y = float(ground[0]), float(ground[1])
        self.vx = self.vy = 0.0
        self.foothold = 0
        self.left = False

    def state(self):
        """4.4: 1 walks, 2 stands, 3 is in the air; the low bit looks left."""
        return (3 if self.foothold == 0 else 1 if self.vx != 0 else 2) * 2 + self.left

    def node(self, ms):
        numbers = [round(n) for n in (self.x, self.y, self.vx, self.vy)]
        return [0, *numbers, self.foothold, self.state(), ms]

    def step(self, direction, jump):
        """Gives the nodes of one step: one, or more where the body jumps or lands within it."""
        nodes = []
        if self.foothold and jump:
            self.foothold, self.vy = 0, -555.0
            nodes.append([1, round(self.vx), -555, None, None, None, self.state(), 0])
        if direction:
            self.left = direction < 0
        if self.foothold:
            self.walk(direction)
            return [*nodes, self.node(30)]
        before = self.y
        self.vy = min(670.0, self.vy + 60)
        self.x += self.vx * 0.03
        self.y += (self.vy - 30) * 0.03
        ground = self.map.below(self.x, before) if self.vy > 0 else None
        if ground is None or self.y < self.map.height(ground, self.x):
            return [*nodes, self.node(30)]
        # It lands within the step: the node that ends there is still in the air, and has no speed left (5.2).
        height = self.map.height(ground, self.x)
        early = min(29, max(1, round(30 * (height - before) / max(1.0, self.y - before))))
        self.y, self.vx, self.vy = height, 0.0, 0.0
        nodes.append(self.node(early))
        self.foothold = ground
        return [*nodes, self.node(30 - early)]

    def walk(self, direction):
        """5.1: 1400 px/s² to 125 px/s, 800 px/s² to rest; at the end of the ground it stands."""
        aim, change = (125.0 * direction, 42.0) if direction else (0.0, 24.0)
        self.vx = min(aim, self.vx + change) if self.vx < aim else max(aim, self.vx - change)
        x, ground = self.x + self.vx * 0.03, self.foothold
        f = self.map.footholds[ground]
        if not f["x1"] <= x <= f["x2"]:
            ground = f["next"] if x > f["x2"] else f["prev"]
            beside = self.map.footholds.get(ground)
            if beside is None or not beside["x1"] <= x <= beside["x2"]:
                self.vx = 0.0
                return
        self.x, self.foothold = x, ground
        self.y = self.map.height(ground, x)


class Recorder:
    """6.1: nodes that continue each other are one, and 17 steps are a path."""

    def __init__(self, body):
        self.end = round(body.x), round(body.y)
        self.still = None
        self.nodes, self.keys = [], []

    def take(self, nodes, key):
        for node in nodes:
            last = self.nodes[-1] if self.nodes else None
            if last and last[0] == 0 == node[0] and last[5:7] == node[5:7] and self.signs(last) == self.signs(node):
                self.nodes[-1] = [*node[:7], last[7] + node[7]]
            else:
                self.nodes.append(node)
        self.keys.append(key)
        return self.path() if len(self.keys) == 17 else None

    @staticmethod
    def signs(node):
        return [(v > 0) - (v < 0) for v in node[3:5]]

    def path(self):
        """The bytes of PATH and TAIL (3.1), or None where nothing has changed."""
        nodes, keys, start = self.nodes, self.keys, self.end
        self.nodes, self.keys = [], []
        places = [start]
        out = struct.pack("<hhB", *start, len(nodes))
        for kind, x, y, vx, vy, foothold, state, ms in nodes:
            if kind == 1:
                out += struct.pack("<BhhBH", 1, x, y, state, ms)
            else:
                out += struct.pack("<BhhhhhBH", 0, x, y, vx, vy, foothold, state, ms)
                places.append((x, y))
        still = nodes[-1][:7]
        if len(nodes) == 1 and still == self.still and still[3:5] == [0, 0]:
            return None
        self.still, self.end = still, places[-1]
        keys.append(0)
        xs, ys = zip(*places)
        out += bytes([len(keys) - 1]) + bytes(a | b << 4 for a, b in zip(keys[::2], keys[1::2]))
        return out + struct.pack("<hhhh", min(xs), min(ys), max(xs), max(ys))


class Client:
    def __init__(self, host, port, name, maps):
        self.socket = socket.create_connection((host, port))
        self.name, self.maps = name, maps
        self.received = b""
        self.send_iv = self.receive_iv = None
        self.names, self.body, self.recorder, self.key = {}, None, None, 0
        # The login was done elsewhere, which gives the number of the character: here it follows from the name.
        self.character = zlib.crc32(name.encode()) % 1000000 + 1

    def send(self, payload):
        """2.3: four bytes that the cipher's state makes, and the payload, scrambled and enciphered."""
        mark = (self.send_iv[2] | self.send_iv[3] << 8) ^ 62
        header = struct.pack("<HH", mark, mark ^ len(payload))
        self.socket.sendall(header + feedback(self.send_iv, shanda(payload)))
        self.send_iv = roll(self.send_iv)

    def read(self):
        while select.select([self.socket], [], [], 0)[0]:
            data = self.socket.recv(65536)
            if not data:
                return False
            self.received += data
        if self.send_iv is None and len(self.received) >= 15:
            # 2.2: the hello, in clear. The client's IV comes first.
            size, version, patch = struct.unpack_from("<HHH", self.received)
            if version != 62 or patch != 0:
                sys.exit(f"the server speaks version {version}")
            self.send_iv, self.receive_iv = self.received[6:10], self.received[10:14]
            self.received = self.received[2 + size :]
            self.send(struct.pack("<HIH", LOGGED_IN, self.character, 0))
        while self.send_iv is not None and len(self.received) >= 4:
            mark, size = struct.unpack_from("<HH", self.received)
            if mark != (self.receive_iv[2] | self.receive_iv[3] << 8) ^ 0xFFFF - 62:
                sys.exit("the ciphers are out of step")
            size ^= mark
            if len(self.received) < 4 + size:
                break
            payload = unshanda(feedback(self.receive_iv, self.received[4 : 4 + size]))
            self.receive_iv = roll(self.receive_iv)
            self.received = self.received[4 + size :]
            self.handle(struct.unpack_from("<H", payload)[0], payload[2:])
        return True

    def handle(self, opcode, body):
        if opcode == PING:
            self.send(struct.pack("<H", PONG))
        elif opcode == CHANGE_MAP:
            # 3.4.2: on this server always with content 0, a map.
            self.key = body[4]
            number, portal = struct.unpack_from("<IB", body, 8)
            place = Map(self.maps, number)
            at = place.portals[portal]
            self.body = Body(place, (at["x"], at["y"]))
            self.recorder = Recorder(self.body)
            print(f"{self.name} is on map {number} at {at['x']}, {at['y']}", flush=True)
        elif opcode == SHOW_PLAYER:
            character, length = struct.unpack_from("<IH", body)
            self.names[character] = body[6 : 6 + length].decode("latin-1")
            print(f"{self.name} sees character {character} come in", flush=True)
        elif opcode == REMOVE_PLAYER:
            print(f"{self.name} sees character {struct.unpack_from('<I', body)[0]} leave", flush=True)
        elif opcode == PLAYER_MOVED:
            self.show(body)

    def show(self, body):
        """3.2 and 4.2: the path of another player. A client plays it back over half a second; here its end is printed."""
        character, x, y, count = struct.unpack_from("<IhhB", body)
        at, jumps = 9, ""
        for _ in range(count):
            kind = body[at]
            if kind in (0, 5, 17):
                x, y = struct.unpack_from("<hh", body, at + 1)
            elif kind == 1:
                jumps = ", jumping"
            sizes = {0: 14, 5: 14, 17: 14, 15: 16, 14: 10, 10: 2} | dict.fromkeys((1, 2, 6, 12, 13, 16), 8)
            at += sizes.get(kind, 10)
        print(f"{self.name} sees {character} at {x}, {y}{jumps}", flush=True)

    def step(self, direction, jump):
        key = 4 if direction > 0 else 8 if direction < 0 else 0
        path = self.recorder.take(self.body.step(direction, jump), key)
        if path is not None:
            self.send(struct.pack("<HB", MOVE, self.key) + path)


def main():
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    host, port, name, maps = sys.argv[1:]
    client = Client(host, int(port), name, maps)
    while client.body is None:
        select.select([client.socket], [], [])
        if not client.read():
            sys.exit("the server closed the connection")

    start, steps = time.monotonic(), 0
    while not stopped:
        if not client.read():
            sys.exit("the server closed the connection")
        while steps < (time.monotonic() - start) / 0.03:
            # Four seconds: right, a rest, left with a jump, a rest.
            at = steps % 132
            client.step(1 if 10 <= at < 40 else -1 if 70 <= at < 100 else 0, at == 80)
            steps += 1
        time.sleep(0.004)
    print(f"{name} ends at {client.body.x:.0f}, {client.body.y:.0f} on foothold {client.body.foothold}", flush=True)


main()
