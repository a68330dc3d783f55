/** Which sources targets instrument. */

export const src = "packages/wirewalk/src/";

/** The files whose branches the committed inputs must reach: what reads bytes of a peer, and not what says afterwards why it could not. */
export const decoders =
  /wire\/(?:byte-reader|bit-reader|frames|hex|latin1|lz4-block|rc4|trace)\.ts$|wire\/interpret\/(?!index)[\w-]+(?<!\.test)\.ts$|wire\/describe\/(?:byte-edges|cases|conditions|json-checks|layout-of|node-rules|parse-node)\.ts$|protocols\/[^/]+\/(?:[^/]+\/)?wire\/(?!engine\/|generated\/|fragment-(?:io|rows)\.ts|broken-stream\.ts|.*\.test\.ts)|capture\/session\/(?:mapleshark|rsprox|text-logs)\/(?!tick-clock|[\w-]*writer\.ts)[\w-]+\.ts$|protocols\/maplestory\/redirects\.ts$|server\/src\/\w+\/(?:websocket-frames|proxy-header|ban-key)\.ts/;
