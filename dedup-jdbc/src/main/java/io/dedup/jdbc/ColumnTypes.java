// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimId;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Origin;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoredResult;
import io.dedup.key.KeyFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The columns that the table must have, with the types that a database calls by its own names. */
final class ColumnTypes {

  private ColumnTypes() {}

  /**
   * Returns the columns by name.
   *
   * @param bytes of short byte strings that an index can hold
   * @param blob of long ones
   * @param text of texts
   */
  static Map<String, ColumnType> of(Set<String> bytes, Set<String> blob, Set<String> text) {
    boolean limited = !bytes.contains("bytea");
    ColumnType number = new ColumnType(Set.of("bigint"), 0);
    ColumnType count = new ColumnType(Set.of("integer", "int", "bigint"), 0);
    ColumnType small = new ColumnType(Set.of("smallint", "integer", "int", "bigint"), 0);
    Map<String, ColumnType> columns = new LinkedHashMap<>();
    columns.put("dedup_key", new ColumnType(bytes, limited ? KeyFormat.MAX_BYTES : 0));
    for (String name :
        new String[] {"token", "fp_value", "busy_until", "created", "updated", "expires"}) {
      columns.put(name, number);
    }
    columns.put("purge_hour", count);
    columns.put("attempts", count);
    for (String name :
        new String[] {"format", "state", "start_mark", "taken_over", "fp_algorithm"}) {
      columns.put(name, small);
    }
    columns.put("claim_id", new ColumnType(bytes, limited ? ClaimId.BYTES : 0));
    columns.put("origin", new ColumnType(bytes, limited ? Origin.BYTES : 0));
    columns.put(
        "forced", new ColumnType(bytes, limited ? ClaimRecord.FORCED_MAX * Origin.BYTES : 0));
    columns.put("owner", new ColumnType(text, ClaimRequest.OWNER_MAX));
    columns.put("result_type", new ColumnType(text, StoredResult.CONTENT_TYPE_MAX));
    columns.put("result", new ColumnType(blob, 0));
    columns.put("error", new ColumnType(text, Settlement.Fail.ERROR_MAX));
    return columns;
  }
}
