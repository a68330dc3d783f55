/** The tables in PostgreSQL, as migrations that run in their order, each once. */

/** Migration n, counted from 1, brings the tables from version n - 1 to version n. Never change one that was published. */
export const migrations: readonly string[] = [
  // `json` and not `jsonb`: it keeps U+0000, numbers and the order of names as they were written.
  `CREATE TABLE records (
     kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, json json NOT NULL, PRIMARY KEY (kind, key)
   )`,
  // Tells the other servers of every change, when it is committed.
  `CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_notify(TG_TABLE_SCHEMA || '.records', ''); RETURN NULL; END
   $$;
   CREATE TRIGGER records_changed AFTER INSERT OR UPDATE OR DELETE ON records
     FOR EACH STATEMENT EXECUTE FUNCTION tell_change()`,
];
