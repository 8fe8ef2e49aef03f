// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.DedupContext;
import io.dedup.jdbc.CasTransitions;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Orders, and how they are paid. */
@Service
public class Orders {

  private final JdbcTemplate sql;
  private final CasTransitions<OrderState> states;
  private final CardCompany cards;
  private final Ledger ledger;
  private final TransactionTemplate transaction;

  Orders(
      JdbcTemplate sql, CardCompany cards, Ledger ledger, PlatformTransactionManager transactions) {
    this.sql = sql;
    this.cards = cards;
    this.ledger = ledger;
    this.transaction = new TransactionTemplate(transactions);
    this.states =
        CasTransitions.builder(sql, OrderState.class)
            .table("purchase_order")
            .key("id")
            .state("status")
            .allow(OrderState.PENDING, OrderState.PAYING)
            .allow(OrderState.PAYING, OrderState.PAID, OrderState.FAILED)
            .build();
  }

  /** Takes an order in. */
  public void place(String id, String payer, long amount) {
    sql.update(
        "insert into purchase_order (id, payer, amount, status) values (?, ?, ?, ?)",
        id,
        payer,
        amount,
        OrderState.PENDING.name());
  }

  /**
   * Pays an order, unless it is paid.
   *
   * <p>Without a transaction around it, so that PAYING is committed before the card company is
   * asked. Whoever finds PAYING took over from somebody who died: the claim sees to it that nobody
   * else is at it. The company knows the charge by its id, which is the same again.
   *
   * @return where it is now
   */
  OrderState pay(String id, DedupContext context) {
    return states
        .transition(id, OrderState.PENDING, OrderState.PAYING)
        .fold(
            applied -> charge(id, context.childId("charge")),
            alreadyThere -> charge(id, context.childId("charge")),
            refused -> known(refused.current()),
            missing -> {
              throw new NoSuchElementException("order " + id);
            });
  }

  private static OrderState known(@Nullable OrderState current) {
    if (current == null) {
      throw new IllegalStateException("the order is in a state that this release does not know");
    }
    return current;
  }

  private OrderState charge(String id, UUID charge) {
    Order order =
        sql.queryForObject(
            "select payer, amount from purchase_order where id = ?",
            (row, number) -> new Order(row.getString(1), row.getLong(2)),
            id);
    boolean approved = cards.charge(charge, order.payer(), order.amount());
    OrderState end = approved ? OrderState.PAID : OrderState.FAILED;
    transaction.executeWithoutResult(
        status -> {
          boolean mine =
              states.transition(id, OrderState.PAYING, end) instanceof CasTransitions.Applied;
          if (mine && approved) {
            ledger.move(id, order.payer(), Ledger.BANK, order.amount());
          }
        });
    return end;
  }

  private record Order(String payer, long amount) {}
}
