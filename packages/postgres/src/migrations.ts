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
  // What outputs tell, for queries of people. Nobody reads it back, so that nobody is told of changes.
  `CREATE TABLE verdicts (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, time timestamptz NOT NULL, event text NOT NULL, protocol text NOT NULL,
     world text NOT NULL, verdict text NOT NULL, player integer NOT NULL, name text NOT NULL, rule text NOT NULL, kind text NOT NULL,
     reason text NOT NULL, measured double precision, allowed double precision, unit text, action text, score double precision,
     "limit" double precision, by text
   );
   CREATE INDEX verdicts_time ON verdicts (time);
   CREATE INDEX verdicts_name ON verdicts (protocol, name)`,
];
