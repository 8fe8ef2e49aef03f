-- One row per result that is too large for the record of its key. Times are microseconds since the epoch.
--
-- Only JdbcResultStore uses it; without one the table stays empty. How large a result may be is limited by
-- max_allowed_packet, too.
CREATE TABLE dedup_result (
  result_id    VARBINARY(16)  NOT NULL PRIMARY KEY,
  created      BIGINT         NOT NULL,
  expires      BIGINT         NOT NULL,
  format       SMALLINT       NOT NULL,
  content_type VARCHAR(128)   NOT NULL,
  content      LONGBLOB       NOT NULL,
  KEY dedup_result_purge (expires)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4;
