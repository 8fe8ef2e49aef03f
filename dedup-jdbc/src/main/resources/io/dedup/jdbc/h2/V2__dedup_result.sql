-- One row per result that is too large for the record of its key. Times are microseconds since the epoch. For tests
-- and demonstrations.
CREATE TABLE dedup_result (
  result_id    VARBINARY(16)  NOT NULL PRIMARY KEY,
  created      BIGINT         NOT NULL,
  expires      BIGINT         NOT NULL,
  format       SMALLINT       NOT NULL,
  content_type VARCHAR(128)   NOT NULL,
  content      BINARY LARGE OBJECT NOT NULL
);

CREATE INDEX ON dedup_result (expires);
