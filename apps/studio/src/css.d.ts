/** Style sheets of chunks: the build loads them with the chunk. */
declare module "*.css";
