/** What the processes of the feed benchmark say to each other. */

/** One room with players, and the pages that watch it. */
export interface Scene {
  readonly protocol: string;
  readonly dialect: string;
  readonly room: string;
  readonly players: number;
  /** True where the game's clients send nothing: the server then has the players without sockets. Otherwise they are bots. */
  readonly playsItself: boolean;
}

export interface ServerReady {
  readonly port: number;
}

/** The server's process answers `cpu` with its processor time since the start, user and system. */
export interface CpuReading {
  readonly cpuUs: number;
}

export interface PagesTask {
  readonly port: number;
  readonly scene: Scene;
}

/** Sent to the pages' process: how many pages it keeps open. */
export interface PagesRequest {
  readonly pages: number;
}

/** What all pages together received since they were opened, or since the last reading. */
export interface PagesReading {
  readonly bytes: number;
  readonly messages: number;
  readonly closed: number;
}
