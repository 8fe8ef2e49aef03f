// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.DedupContext;
import io.dedup.http.IdempotentRequest;
import io.dedup.http.KeySource;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Payments of orders. */
@RestController
class OrderController {

  private final Orders orders;

  OrderController(Orders orders) {
    this.orders = orders;
  }

  /** The order is the key, whoever pays: of concurrent callers one gets through. */
  @PostMapping("/orders/{order}/payment")
  @IdempotentRequest(
      operation = "pay-order",
      sharedScope = "orders",
      keySource = KeySource.SPEL,
      key = "#path['order']",
      required = true)
  Paid pay(@PathVariable String order, DedupContext context) {
    return new Paid(order, orders.pay(order, context));
  }

  /**
   * What became of it.
   *
   * @param order its id
   * @param status where it is
   */
  record Paid(String order, OrderState status) {}
}
