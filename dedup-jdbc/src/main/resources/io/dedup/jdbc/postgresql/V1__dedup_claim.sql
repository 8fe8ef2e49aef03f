-- One row per key. Times are microseconds since the epoch.
--
-- The primary key is on the key alone: a table whose unique constraint has more columns (a date, for partitions) would
-- accept a key once per partition. To partition a large table, do it BY HASH (dedup_key).
--
-- purge_hour is what purging looks for. A claim and its settlement expire seconds apart, so nearly always in the same
-- hour: the settlement then changes no indexed column, and PostgreSQL updates the row in place (HOT) where the page has
-- room. That is what the fillfactor leaves.
CREATE TABLE dedup_claim (
  token        bigint        NOT NULL,
  fp_value     bigint        NOT NULL,
  busy_until   bigint        NOT NULL,
  created      bigint        NOT NULL,
  updated      bigint        NOT NULL,
  expires      bigint        NOT NULL,
  purge_hour   integer       NOT NULL GENERATED ALWAYS AS ((expires / 3600000000)::integer) STORED,
  attempts     integer       NOT NULL,
  format       smallint      NOT NULL,
  state        smallint      NOT NULL,
  start_mark   smallint      NOT NULL,
  taken_over   smallint      NOT NULL,
  fp_algorithm smallint      NOT NULL,
  dedup_key    bytea         NOT NULL PRIMARY KEY,
  claim_id     bytea         NOT NULL,
  origin       bytea         NOT NULL,
  forced       bytea,
  owner        varchar(128)  NOT NULL,
  result_type  varchar(128),
  result       bytea,
  error        varchar(500)
) WITH (fillfactor = 80);

CREATE INDEX ON dedup_claim (purge_hour);
