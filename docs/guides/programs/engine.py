"""A server in Python beside Wirewalk: player info for its world, by lines over standard streams.

python3 engine.py [command ...]    the command of the engine; default: npx wirewalk engine osrs/player-info --revision 206
"""

import json
import subprocess
import sys


class Engine:
    """`wirewalk engine`: one line of JSON in, one line out."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def take(self, **commands):
        self.process.stdin.write(json.dumps(commands) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        for error in answer.get("errors", []):
            # Only what is named was refused: the other commands of the line count.
            print(f"refused: {error['path']}: {error['message']}")
        return answer

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


class World:
    """Your world: who is where. Player n walks east and back."""

    def __init__(self, players):
        self.tiles = {index: [0, 3200 + index % 20, 3200 + index // 20] for index in range(1, players + 1)}
        self.ticks = 0

    def tick(self):
        self.ticks += 1
        step = 1 if self.ticks % 10 < 5 else -1
        for tile in self.tiles.values():
            tile[1] += step


def main():
    command = sys.argv[1:] or ["npx", "wirewalk", "engine", "osrs/player-info", "--revision", "206"]
    engine = Engine(command)
    world = World(players=100)
    players = list(world.tiles)

    answer = engine.take(add=[[index, *tile] for index, tile in world.tiles.items()], observe=players)
    for login in answer["init"]:
        # Into the login block of this player.
        assert len(bytes.fromhex(login["hex"])) == 4608

    sent = 0
    for number in range(1, 21):
        world.tick()
        moves = [[index, x, z] for index, (_, x, z) in world.tiles.items()]
        blocks = [[1, "sequence", {"id": 808, "delay": 0}]] if number == 3 else []
        answer = engine.take(move=moves, blocks=blocks, tick=True)
        for packet in answer["packets"]:
            body = bytes.fromhex(packet["hex"])
            for player in packet["to"]:
                # To this player's socket, behind your opcode and size.
                sent += len(body)
    print(f"{answer['tick']} ticks, {sent} bytes to {len(players)} players")

    engine.take(move=[[2047, 3200, 3200]])
    print(f"the engine ended with {engine.close()}")


main()
