/** How bytes travel: a `stream` splits and glues them (TCP), `message` keeps each payload whole (WebSocket). */
export type Carrier = "stream" | "message";
