"""A client of Slime Online 2, dialect v0106, in Python's standard library: it runs, jumps, and sees the other players do the same.

python3 slime_client.py HOST PORT NAME [ROOMS]    until Ctrl+C

ROOMS is the file of rooms that the server has (--maps); without it the ground is endless. The numbers in brackets are sections of docs/protocols/slime-online-2.md.
"""

import json
import select
import signal
import socket
import struct
import sys
import time

# 2.3: one key for each direction.
CLIENT_KEY, SERVER_KEY = b"retrtz7jmijb5467n47", b"t54gz65u74njb6zg6"
NEW_PLAYER, MOVE, LOGOUT, PING, LOGIN, WARP, POSITION = 1, 2, 6, 9, 10, 14, 15
# 3: what each code names. Codes with "xy" carry x and y, "x" x alone.
PLACE = {1: "xy", 2: "xy", 3: "x", 5: "xy", 6: "xy", 9: "xy"}
KEYS = {1: ("left", True), 2: ("right", True), 5: ("left", False), 6: ("right", False)}
KEYS |= {10: ("left", True), 11: ("right", True), 12: ("left", False), 13: ("right", False)}


def rc4(key, data):
    """2.3: the key schedule runs afresh for each payload."""
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


def f32(number):
    """6.1: each result is rounded to single precision."""
    return struct.unpack("<f", struct.pack("<f", number))[0] + 0.0


MAX, JUMP, GRAVITY, TERMINAL = 2.5, 4.5, f32(0.2145), 9.0
DRIVE, FRICTION = f32(0.33), f32(0.165)


class Room:
    """6.6: a player is one point, the feet. Solids have floors, walls and ceilings; the room's edges are walls and a floor."""

    def __init__(self, room):
        self.width, self.height = room["width"], room["height"]
        self.solids = [(s["x"], s["y"], s["x"] + s["w"], s["y"] + s["h"]) for s in room.get("solids", [])]

    def stop_x(self, x, to, y):
        to = min(max(to, 0.0), float(self.width))
        for left, top, right, bottom in self.solids:
            if top < y <= bottom and x <= left < to:
                to = float(left)
            elif top < y <= bottom and to < right <= x:
                to = float(right)
        return to

    def stop_y(self, x, y, to):
        to = min(max(to, 0.0), float(self.height))
        for left, top, right, bottom in self.solids:
            if left <= x <= right and y <= top < to:
                to = float(top)
            elif left <= x <= right and to < bottom <= y:
                to = y
        return to

    def carries(self, x, y):
        return y >= self.height or any(y == top and left <= x <= right for left, top, right, _ in self.solids)


class EndlessFloor:
    """9.9: what is known of a room whose shape is not: the floor is where a player reported to stand."""

    def __init__(self, y):
        self.y = float(y)

    def stop_x(self, x, to, y):
        return to

    def stop_y(self, x, y, to):
        return min(to, self.y)

    def carries(self, x, y):
        return y >= self.y


class Slime:
    """5 and 6: what is known of a player, and how one sixtieth of a second moves it."""

    def __init__(self, name, x, y, room):
        self.name, self.x, self.y = name, float(x), float(y)
        self.left = self.right = self.free = False
        self.hsp = self.vsp = 0.0
        self.room = room

    def take(self, code, x=None, y=None):
        """5.2: what a move changes."""
        if x is not None:
            self.x = float(x)
        if y is not None:
            self.y = float(y)
            if isinstance(self.room, EndlessFloor):
                self.room = EndlessFloor(y)
        if code in KEYS:
            key, held = KEYS[code]
            setattr(self, key, held)
        if code == 3 and not self.free:
            self.vsp, self.free = -JUMP, True
        elif code == 9:
            self.free, self.vsp = False, 0.0
        elif code >= 10:
            self.free = True  # It walked off an edge, which sends nothing.

    def frame(self):
        """6.3, without ice and water. True in the frame of a landing."""
        if self.right and not self.left and self.hsp < MAX:
            self.hsp = f32(self.hsp + DRIVE)
        if self.left and not self.right and self.hsp > -MAX:
            self.hsp = f32(self.hsp - DRIVE)
        self.hsp = max(-MAX, min(MAX, self.hsp))
        if self.free and self.vsp < TERMINAL:
            self.vsp = min(TERMINAL, f32(self.vsp + GRAVITY))
        if not self.free and self.left == self.right:
            slower = f32(abs(self.hsp) - FRICTION)
            self.hsp = 0.0 if slower <= 0 else slower if self.hsp > 0 else -slower
        to = f32(self.x + self.hsp)
        self.x = self.room.stop_x(self.x, to, self.y)
        if self.x != to:
            self.hsp = 0.0
        to = f32(self.y + self.vsp)
        self.y = self.room.stop_y(self.x, self.y, to)
        landed = self.free and self.vsp > 0 and self.y != to
        if self.y != to:
            self.vsp = 0.0
        self.free = not self.room.carries(self.x, self.y)
        return landed


class Client:
    def __init__(self, host, port, name, rooms):
        self.socket = socket.create_connection((host, port))
        self.received = b""
        self.name, self.rooms, self.room = name, rooms, 0
        self.me = None
        self.id = 0
        self.others = {}
        login = b"\0".join([b"0.106", name.encode("latin-1"), b"secret", b"0a1b", b""])
        self.send(LOGIN, login)

    def send(self, kind, body=b""):
        """2.1: the length in clear, the payload enciphered, both in one call."""
        payload = rc4(CLIENT_KEY, struct.pack("<H", kind) + body)
        self.socket.sendall(struct.pack("<H", len(payload)) + payload)

    def read(self):
        """Takes what has come and handles each whole frame of it. False at the end of the connection."""
        while select.select([self.socket], [], [], 0)[0]:
            data = self.socket.recv(65536)
            if not data:
                return False
            self.received += data
        while len(self.received) >= 2:
            size = struct.unpack_from("<H", self.received)[0]
            if len(self.received) < 2 + size:
                break
            payload = rc4(SERVER_KEY, self.received[2 : 2 + size])
            self.received = self.received[2 + size :]
            self.handle(struct.unpack_from("<H", payload)[0], payload[2:])
        return True

    def handle(self, kind, body):
        if kind == LOGIN:
            if body[0] != 1:
                sys.exit(f"refused: {body[0]} (4.3.4)")
            self.id = struct.unpack_from("<H", body, 1)[0]
            # The time, a text, day, hour and minute, the name, and then the place and the room.
            rest = body[body.index(0, 7) + 4 :]
            x, y, self.room = struct.unpack_from("<HHH", rest, rest.index(0) + 1)
            self.me = Slime(self.name, x, y, self.room_of(self.room, y))
            print(f"{self.name} is player {self.id} in room {self.room} at {x}, {y}", flush=True)
        elif kind == NEW_PLAYER:
            x, y, player = struct.unpack_from("<HHH", body, 1)
            # 9.2: one who comes in is answered with where we stand; of one who was here already five keys come before the room.
            at = 7 if body[0] == 1 else 12
            room = struct.unpack_from("<H", body, at)[0]
            name = body[at + 2 :].split(b"\0")[0].decode("latin-1")
            if body[0] == 1:
                self.send(NEW_PLAYER, struct.pack("<HHH", player, *self.place()))
            self.others[player] = Slime(name, x, y, self.room_of(room, y))
            if body[0] == 2:
                self.others[player].left, self.others[player].right = bool(body[7]), bool(body[8])
            print(f"{self.name} sees {name} at {x}, {y}", flush=True)
        elif kind == MOVE:
            player, code = struct.unpack_from("<HB", body)
            other = self.others.get(player)
            if other is not None:
                other.take(code, *struct.unpack_from("<" + "H" * len(PLACE.get(code, "")), body, 3))
                print(f"{self.name} sees {other.name} send {code} at {other.x:.0f}, {other.y:.0f}", flush=True)
        elif kind == POSITION:
            player, x, y = struct.unpack_from("<HHH", body, 1)
            slime = self.me if player == self.id else self.others.get(player)
            if slime is not None:
                slime.x, slime.y, slime.hsp, slime.vsp = float(x), float(y), 0.0, 0.0
            if player == self.id:
                print(f"{self.name} is put to {x}, {y}", flush=True)
        elif kind == PING:
            self.send(PING)
        elif kind == LOGOUT:
            gone = self.others.pop(struct.unpack_from("<H", body)[0], None)
            if gone is not None:
                print(f"{self.name} sees {gone.name} leave", flush=True)

    def room_of(self, number, y):
        room = self.rooms.get(number)
        return EndlessFloor(y) if room is None else Room(room)

    def place(self):
        """7.2: whole pixels, halves up."""
        return int(self.me.x + 0.5), int(self.me.y + 0.5)

    def press(self, code):
        """7.1: what a key sends on the ground, and in the air; up in the air sends nothing."""
        if self.me.free:
            code = {1: 10, 2: 11, 5: 12, 6: 13, 3: None}.get(code, code)
        if code is not None:
            self.send_move(code)

    def send_move(self, code):
        """The client applies a move to itself as it sends it."""
        self.me.take(code)
        x, y = self.place()
        fields = {"xy": (x, y), "x": (x,), "": ()}[PLACE.get(code, "")]
        self.send(MOVE, struct.pack("<B" + "H" * len(fields), code, *fields))


def main():
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    host, port, name, *files = sys.argv[1:]
    rooms = {}
    for file in files:
        with open(file, encoding="utf-8") as text:
            rooms |= {room["room"]: room for room in json.load(text)["rooms"]}
    client = Client(host, int(port), name, rooms)
    while client.me is None:
        select.select([client.socket], [], [])
        if not client.read():
            sys.exit("the server closed the connection")

    # A round of three seconds: right for one, a jump on the way back, which ends on the step and then off it, a rest.
    keys = {0: 2, 60: 6, 90: 1, 96: 3, 97: 7, 160: 5}
    start, frame = time.monotonic(), 0
    while not stopped:
        if not client.read():
            sys.exit("the server closed the connection")
        while frame < (time.monotonic() - start) * 60:
            code = keys.get(frame % 180)
            if code is not None:
                client.press(code)
            if client.me.frame():
                client.send_move(9)
            for other in client.others.values():
                other.frame()
            frame += 1
        time.sleep(0.005)
    print(f"{name} ends at {client.place()[0]}, {client.place()[1]}", flush=True)
    client.send(LOGOUT)


main()
