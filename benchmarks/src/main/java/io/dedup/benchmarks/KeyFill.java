// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import io.dedup.claim.SettleRequest;
import java.util.List;

/** Fills stores with completed keys. */
final class KeyFill {

  /** How often a filling tells that it got further. */
  static final int STEPS = 20;

  private KeyFill() {}

  /** Claims and completes, a completion and the next claim in one exchange. */
  static void throughStore(StorePairs pairs, Ids ids, int keys, Runnable step) {
    List<SettleRequest> completions = List.of();
    int told = 0;
    for (long filled = 0; filled < keys; filled += Ids.BATCH) {
      completions = pairs.exchange(completions, ids.batch());
      if (filled * STEPS / keys > told) {
        step.run();
        told++;
      }
    }
    pairs.settle(completions);
    for (; told < STEPS; told++) {
      step.run();
    }
  }

  /** Copies the rows of a table under other keys until there are so many. */
  static void bySql(Backends backends, String table, int keys, Runnable step) {
    String key =
        backends.ask(
            "select attname from pg_index i join pg_attribute a"
                + " on a.attrelid = i.indrelid and a.attnum = any(i.indkey)"
                + " where i.indisprimary and i.indrelid = '"
                + table
                + "'::regclass");
    String others =
        backends.ask(
            "select string_agg(quote_ident(attname), ', ') from pg_attribute"
                + " where attnum > 0 and not attisdropped and attgenerated = '' and attrelid = '"
                + table
                + "'::regclass and attname <> '"
                + key
                + "'");
    for (int part = 0; part < STEPS; part++) {
      long from = (long) keys * part / STEPS;
      long to = (long) keys * (part + 1) / STEPS;
      backends.update(
          ("insert into %s (%s, %s) select substr(sha256(int8send(n)), 1, length(%s)), %s from"
                  + " (select * from %s limit 1) t, generate_series(%d::bigint, %d::bigint) n")
              .formatted(table, key, others, key, others, table, from + 1, to));
      step.run();
    }
    backends.update("analyze " + table);
  }
}
