"""A client of Scrap Mechanic's player movement in Python's standard library: it walks, predicts its own way, and sees the other players.

python3 scrap_client.py HOST PORT NAME    until Ctrl+C

The numbers in brackets are sections of docs/protocols/scrap-mechanic.md.
"""

import math
import select
import signal
import socket
import struct
import sys
import time

HELLO, PLAYING, LEFT, MOVEMENT, UPDATE = 0xF0, 0xF1, 0xF2, 0x1E, 0x18
JUMP, CRAWL, HORIZONTAL, SPRINT, AIM = 1, 2, 4, 8, 16
TICK = 0.025


def f32(number):
    return struct.unpack(">f", struct.pack(">f", number))[0] + 0.0


def turn(angle):
    """3.3: 256 to a turn."""
    return math.cos(angle * math.pi / 128), math.sin(angle * math.pi / 128)


def unpack_block(block, limit=65034):
    """2.3: a raw LZ4 block. Bad blocks raise ValueError; nothing beyond the limit comes out."""

    def length(nibble, at):
        if nibble == 15:
            while True:
                nibble += block[at]
                at += 1
                if block[at - 1] != 255:
                    break
        return nibble, at

    out, at = bytearray(), 0
    try:
        while True:
            token = block[at]
            literals, at = length(token >> 4, at + 1)
            if at + literals > len(block):
                raise ValueError("literals go past the end")
            out += block[at : at + literals]
            at += literals
            if at == len(block):
                break
            offset = block[at] | block[at + 1] << 8
            match, at = length(token & 15, at + 2)
            if offset == 0 or offset > len(out) or len(out) + match + 4 > limit:
                raise ValueError(f"a match of {match + 4} bytes from {offset} back")
            for _ in range(match + 4):
                out.append(out[-offset])
    except IndexError:
        raise ValueError("the block is cut") from None
    if len(out) > limit:
        raise ValueError(f"more than {limit} bytes")
    return bytes(out)


class Body:
    """7: a standing character on flat ground, one step of 25 ms."""

    HALF, GRAVITY, JUMP_SPEED, BLEND = 0.7, 10, 5, 0.2

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z
        self.ground = f32(z - self.HALF)
        self.vx = self.vy = self.vz = 0.0
        self.on_ground, self.yaw = True, None

    def step(self, keys, direction, yaw):
        speed = 0 if not keys & HORIZONTAL else 8 if keys & SPRINT else 4
        if self.yaw is not None and yaw != self.yaw:
            cos, sin = turn(yaw - self.yaw)
            self.vx, self.vy = f32(self.vx * cos - self.vy * sin), f32(self.vx * sin + self.vy * cos)
        self.yaw = yaw
        cos, sin = turn(yaw + direction)
        self.vx = f32((1 - self.BLEND) * self.vx + self.BLEND * speed * cos)
        self.vy = f32((1 - self.BLEND) * self.vy + self.BLEND * speed * sin)
        if self.on_ground and keys & JUMP:
            self.vz, self.on_ground = float(self.JUMP_SPEED), False
        self.x, self.y = f32(self.x + self.vx * TICK), f32(self.y + self.vy * TICK)
        if not self.on_ground:
            self.vz = f32(self.vz - self.GRAVITY * TICK)
            self.z = f32(self.z + self.vz * TICK)
            if self.z <= f32(self.ground + self.HALF):
                self.z, self.vz, self.on_ground = f32(self.ground + self.HALF), 0.0, True


class Client:
    def __init__(self, host, port, name):
        self.socket = socket.create_connection((host, port))
        self.received = b""
        self.name, self.character, self.tick, self.body = name, None, 0, None
        self.predicted = {}  # Our place after each tick that the server has not yet answered.
        self.others, self.agreed, self.corrected = {}, 0, 0
        self.send(bytes([HELLO, 1]))

    def send(self, packet):
        """2.2: the size, high byte first, and the packet."""
        self.socket.sendall(struct.pack(">H", len(packet)) + packet)

    def read(self):
        while select.select([self.socket], [], [], 0)[0]:
            data = self.socket.recv(65536)
            if not data:
                return False
            self.received += data
        while len(self.received) >= 2:
            size = struct.unpack_from(">H", self.received)[0]
            if len(self.received) < 2 + size:
                break
            packet, self.received = self.received[2 : 2 + size], self.received[2 + size :]
            self.handle(packet[0], packet[1:])
        return True

    def handle(self, kind, body):
        if kind == PLAYING:
            self.character, self.tick, x, y, z = struct.unpack(">IIfff", body)
            self.body = Body(x, y, z)
            print(f"{self.name} is character {self.character} at {x:.2f}, {y:.2f}, {z:.2f}", flush=True)
        elif kind == LEFT:
            if self.others.pop(struct.unpack(">I", body)[0], None) is not None:
                print(f"{self.name} sees a character leave", flush=True)
        elif kind == UPDATE:
            self.update(unpack_block(body))

    def update(self, body):
        """4: which of our ticks is in it, and every character of the room."""
        _, current, count = struct.unpack_from(">IIB", body)
        at = 9
        for _ in range(count):
            size, kind = body[at], body[at + 1]
            if kind == 6 and size == 23:
                # 4.3: 161 bits from here on, most significant first; behind the tumbling bit nothing lies on a byte.
                bits = int.from_bytes(body[at + 2 : at + size], "big") >> 7
                character, keys = bits >> 128, bits >> 120 & 255
                place = struct.unpack(">fff", (bits & (1 << 96) - 1).to_bytes(12, "big"))
                if character >> 1 == self.character:
                    self.compare(current, place)
                else:
                    self.see(character >> 1, keys, place)
            at += size

    def see(self, character, keys, place):
        before = self.others.get(character)
        self.others[character] = place
        if before is None or math.dist(before, place) > 0.09:
            jumps = ", jumping" if keys & JUMP else ""
            print(f"{self.name} sees {character} at {place[0]:.2f}, {place[1]:.2f}, {place[2]:.2f}{jumps}", flush=True)

    def compare(self, tick, place):
        """6.4: what the server played is compared with what we predicted for that tick."""
        predicted = self.predicted.pop(tick, None)
        if predicted is None:
            return
        if math.dist(predicted, place) <= 0.0003:
            self.agreed += 1
        else:
            self.corrected += 1
            self.body.x, self.body.y, self.body.z = place

    def play(self, keys, direction, yaw):
        """3 and 3.4: ten bytes, since eight bytes have no match; played at once by ourselves, too."""
        self.send(bytes([MOVEMENT, 0x80]) + struct.pack(">IBBBB", self.tick, keys, direction, yaw, 64))
        self.body.step(keys, direction, yaw)
        self.predicted[self.tick] = self.body.x, self.body.y, self.body.z
        self.predicted.pop(self.tick - 400, None)
        self.tick = self.tick + 1 & 0xFFFFFFFF


def main():
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    host, port, name = sys.argv[1:]
    client = Client(host, int(port), name)
    while client.body is None:
        select.select([client.socket], [], [])
        if not client.read():
            sys.exit("the server closed the connection")

    # 6.1: direction 64 is forward. Every two seconds a quarter turn; sprint follows a packet of walking (6.2).
    start, played = time.monotonic(), 0
    while not stopped:
        if not client.read():
            sys.exit("the server closed the connection")
        while played < (time.monotonic() - start) / TICK:
            at, side = played % 80, played // 80
            keys = 0 if at >= 60 else HORIZONTAL
            if 20 <= at < 60:
                keys |= SPRINT
            if at == 60:
                keys |= SPRINT  # One packet late at the end.
            if at in (30, 31):
                keys |= JUMP
            client.play(keys, 64, side * 64 & 255)
            played += 1
        time.sleep(0.004)
    x, y, z = client.body.x, client.body.y, client.body.z
    print(f"{name} ends at {x:.2f}, {y:.2f}, {z:.2f}: {client.agreed} ticks as predicted, {client.corrected} not", flush=True)


main()
