-- One row per key. Times are microseconds since the epoch. For tests and demonstrations.
CREATE TABLE dedup_claim (
  dedup_key    VARBINARY(512) NOT NULL PRIMARY KEY,
  token        BIGINT         NOT NULL,
  fp_value     BIGINT         NOT NULL,
  busy_until   BIGINT         NOT NULL,
  created      BIGINT         NOT NULL,
  updated      BIGINT         NOT NULL,
  expires      BIGINT         NOT NULL,
  purge_hour   INT            GENERATED ALWAYS AS (expires / 3600000000),
  attempts     INT            NOT NULL,
  format       SMALLINT       NOT NULL,
  state        SMALLINT       NOT NULL,
  start_mark   SMALLINT       NOT NULL,
  taken_over   SMALLINT       NOT NULL,
  fp_algorithm SMALLINT       NOT NULL,
  claim_id     VARBINARY(16)  NOT NULL,
  origin       VARBINARY(16)  NOT NULL,
  forced       VARBINARY(128),
  owner        VARCHAR(128)   NOT NULL,
  result_type  VARCHAR(128),
  result       BINARY LARGE OBJECT,
  error        VARCHAR(500)
);

CREATE INDEX ON dedup_claim (purge_hour);
