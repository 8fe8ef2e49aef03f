// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/**
 * The accounts, and what was posted to them. Nothing here knows of duplicates: a payment that is
 * booked twice is there twice.
 */
@Repository
public class Ledger {

  /** The bank's own account. */
  public static final String BANK = "bank";

  private final JdbcTemplate sql;

  Ledger(JdbcTemplate sql) {
    this.sql = sql;
  }

  /** Opens an account. */
  public void open(String account, long balance) {
    sql.update("insert into account (id, balance) values (?, ?)", account, balance);
  }

  /** Books a payment; to be called in a transaction. */
  void book(Payment payment) {
    sql.update(
        "insert into payment (id, payer, payee, amount) values (?, ?, ?, ?)",
        payment.id(),
        payment.payer(),
        payment.payee(),
        payment.amount());
    move(payment.id(), payment.payer(), payment.payee(), payment.amount());
  }

  /**
   * Moves money; to be called in a transaction.
   *
   * @param source what it is moved for
   * @throws IllegalStateException if there is no such account
   */
  void move(String source, String from, String to, long amount) {
    // In the order of their names: so two payments never wait for each other's second account.
    // A batch of fees may, and then the database ends one of them, which is tried again.
    Map<String, Long> changes = new TreeMap<>(Map.of(from, -amount, to, amount));
    changes.forEach((account, change) -> post(source, account, change));
  }

  private void post(String source, String account, long change) {
    int found =
        sql.update("update account set balance = balance + ? where id = ?", change, account);
    if (found == 0) {
      throw new IllegalStateException("account " + account + " is not open");
    }
    sql.update(
        "insert into posting (source, account, amount) values (?, ?, ?)", source, account, change);
  }

  /** Returns the payments with this id. */
  List<Payment> payments(String id) {
    return sql.query(
        "select id, payer, payee, amount from payment where id = ?",
        (row, number) ->
            new Payment(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)),
        id);
  }
}
