// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The accounts as they are, beside what they must be. Read from the tables; nobody's own count is
 * believed.
 *
 * @param balances of each account
 * @param expected the same, computed from what was asked for
 * @param lost transfers that are not there
 * @param doubled postings beyond two for each transfer
 * @param unknown postings that nobody asked for
 */
record Books(
    Map<String, Long> balances, Map<String, Long> expected, int lost, long doubled, int unknown) {

  /** Reads them, and compares them with what had to happen. */
  static Books read(DataSource database, List<Transfer> transfers, List<String> accounts) {
    JdbcTemplate sql = new JdbcTemplate(database);
    Map<String, Long> expected = new TreeMap<>();
    accounts.forEach(account -> expected.put(account, Plan.OPENING_BALANCE));
    transfers.forEach(
        one -> {
          expected.merge(one.from(), -one.amount(), Long::sum);
          expected.merge(one.to(), one.amount(), Long::sum);
        });
    Map<String, Long> balances = new TreeMap<>();
    sql.query(
        "select id, balance from account",
        row -> {
          balances.put(row.getString(1), row.getLong(2));
        });
    Map<String, Long> postings = new HashMap<>();
    sql.query(
        "select source, count(*) from posting group by source",
        row -> {
          postings.put(row.getString(1), row.getLong(2));
        });
    int lost = 0;
    long doubled = 0;
    for (Transfer one : transfers) {
      Long found = postings.remove(one.source());
      lost += found == null ? 1 : 0;
      doubled += found == null ? 0 : Math.max(0, found - 2);
    }
    return new Books(balances, expected, lost, doubled, postings.size());
  }

  /** Returns whether each account is what it must be, and no money came or went. */
  boolean balance() {
    return balances.equals(expected) && lost == 0 && doubled == 0 && unknown == 0;
  }

  String table() {
    StringBuilder table =
        new StringBuilder("  account          balance      expected%n".formatted());
    expected.forEach(
        (account, due) -> {
          Long is = balances.get(account);
          table.append(
              "  %-12s %,11d   %,11d%s%n"
                  .formatted(account, is, due, due.equals(is) ? "" : "   WRONG"));
        });
    return table.toString();
  }
}
