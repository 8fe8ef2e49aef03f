-- One row per result that is too large for the record of its key. Times are microseconds since the epoch.
--
-- Only JdbcResultStore uses it; without one the table stays empty.
CREATE TABLE dedup_result (
  created      bigint        NOT NULL,
  expires      bigint        NOT NULL,
  format       smallint      NOT NULL,
  result_id    bytea         NOT NULL PRIMARY KEY,
  content_type varchar(128)  NOT NULL,
  content      bytea         NOT NULL
);

CREATE INDEX ON dedup_result (expires);
