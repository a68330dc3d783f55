/**
 * The ciphers of MapleStory of the years 2008 to 2010: Shanda, AES-256 in OFB, and the four bytes before each packet. After `MapleAESOFB` and
 * `MapleCustomEncryption` of P0nk/Cosmic and `MapleCrypto`, `ShandaCrypto` and `IGCipher` of iw2d/kinoko.
 */
import { createCipheriv } from "node:crypto";

const KEY = Buffer.from("130000000800000006000000b40000001b0000000f0000003300000052000000", "hex");

const SHUFFLE = Buffer.from(
  "ec3f77a445d071bfb79820fc4be9b3e15c22f70c441b81bd638dd4c3f21019e0fba16e66eaaed6ce06184eeb7895dbbab6427a2a830b54676de865e72f07f3aa" +
    "277b85b026fd8ba9fabea8d7cbcc92daf993602dddd2a29b395f82214c69f83187ee8ead8c6abcb56b5913f10400f65a3579488f15cd9757123e37ff9d4f51f5" +
    "a370bb1475c2b872c0ed7d68c92e0d624617114d6cc47e53c125c79a1c88582c89dc026440015d38a5e2af55d5ef1a7ca75ba66f869f73e60ade2b994a479cdf" +
    "09769e300ee4b294a03b341d280f36e323b403d890c83cfe5e3224501f3a438a964174ac5233f0d92980b116d3ab91b9847f611ecfc5d1563dcaf405c6e50849",
  "hex",
);

const BLOCK = 16;

/** Bytes after which the stream of the cipher begins anew: less in the first part, whose frame has four bytes more. */
const FIRST_PART = 1456;
const PART = 1460;

/** One direction of a connection. */
export class MapleCipher {
  readonly #mark: number;
  #iv: Buffer;

  /** `mark`: the version from the client, 0xffff - version from the server. */
  constructor(iv: Buffer, mark: number) {
    this.#iv = Buffer.from(iv);
    this.#mark = mark;
  }

  /** The packet of a message. */
  seal(message: Buffer): Buffer {
    const head = Buffer.alloc(4);
    const marked = this.#iv.readUInt16LE(2) ^ this.#mark;
    head.writeUInt16LE(marked, 0);
    head.writeUInt16LE(marked ^ message.length, 2);
    return Buffer.concat([head, this.#crypt(shanda("encipher", message))]);
  }

  /** Bytes of the message after these four. Throws when they are not of the next packet. */
  lengthOf(head: Buffer): number {
    const marked = head.readUInt16LE(0);
    if ((marked ^ this.#iv.readUInt16LE(2)) !== this.#mark)
      throw new Error(`Not the next packet: ${head.toString("hex")}`);
    return marked ^ head.readUInt16LE(2);
  }

  open(sealed: Buffer): Buffer {
    return shanda("decipher", this.#crypt(sealed));
  }

  #crypt(data: Buffer): Buffer {
    const crypted = Buffer.from(data);
    for (let start = 0; start < data.length; ) {
      const end = Math.min(data.length, start + (start === 0 ? FIRST_PART : PART));
      const cipher = createCipheriv("aes-256-ecb", KEY, null).setAutoPadding(false);
      let block: Buffer = Buffer.concat([this.#iv, this.#iv, this.#iv, this.#iv]);
      for (let at = start; at < end; at++) {
        const within = (at - start) % BLOCK;
        if (within === 0) block = cipher.update(block);
        crypted.writeUInt8(crypted.readUInt8(at) ^ block.readUInt8(within), at);
      }
      start = end;
    }
    this.#iv = rolled(this.#iv);
    return crypted;
  }
}

/** The IV of the next packet. */
function rolled(iv: Buffer): Buffer {
  const next = Buffer.from([0xf2, 0x53, 0x50, 0xc6]);
  const at = (byte: number): number => next.readUInt8(byte);
  const put = (value: number, byte: number): void => {
    next.writeUInt8(value & 255, byte);
  };
  for (const byte of iv) {
    const shuffled = SHUFFLE.readUInt8(byte);
    put(at(0) + SHUFFLE.readUInt8(at(1)) - byte, 0);
    put(at(1) - (at(2) ^ shuffled), 1);
    put(at(2) ^ (SHUFFLE.readUInt8(at(3)) + byte), 2);
    put(at(3) - at(0) + shuffled, 3);
    const word = next.readUInt32LE();
    next.writeUInt32LE(((word << 3) | (word >>> 29)) >>> 0);
  }
  return next;
}

const left = (byte: number, by: number): number => ((byte << (by & 7)) | (byte >>> (8 - (by & 7)))) & 255;
const right = (byte: number, by: number): number => left(byte, 8 - (by & 7));

function shanda(direction: "encipher" | "decipher", message: Buffer): Buffer {
  const data = Buffer.from(message);
  const { length } = data;
  /** One pass over all bytes. `change` gets the byte, the one carried from the byte before, and the bytes left; it gives the new byte and the carried. */
  const pass = (
    isForward: boolean,
    change: (byte: number, carried: number, bytesLeft: number) => readonly [number, number],
  ) => {
    let carried = 0;
    for (let step = 0; step < length; step++) {
      const at = isForward ? step : length - 1 - step;
      const [byte, next] = change(data.readUInt8(at), carried, (length - step) & 255);
      data.writeUInt8(byte & 255, at);
      carried = next;
    }
  };
  for (let round = 0; round < 3; round++) {
    if (direction === "encipher") {
      pass(true, (byte, carried, bytesLeft) => {
        const next = ((left(byte, 3) + bytesLeft) & 255) ^ carried;
        return [0x47 - right(next, bytesLeft), next];
      });
      pass(false, (byte, carried, bytesLeft) => {
        const next = ((left(byte, 4) + bytesLeft) & 255) ^ carried;
        return [right(next ^ 0x13, 3), next];
      });
    } else {
      pass(false, (byte, carried, bytesLeft) => {
        const next = left(byte, 3) ^ 0x13;
        return [right(((next ^ carried) - bytesLeft) & 255, 4), next];
      });
      pass(true, (byte, carried, bytesLeft) => {
        const next = left((0x47 - byte) & 255, bytesLeft);
        return [right(((next ^ carried) - bytesLeft) & 255, 3), next];
      });
    }
  }
  return data;
}
