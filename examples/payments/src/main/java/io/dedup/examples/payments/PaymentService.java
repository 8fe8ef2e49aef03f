// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.key.IdempotencyKey;
import io.dedup.spring.boot.Deduplicators;
import io.dedup.spring.boot.Mode;
import org.springframework.stereotype.Service;

/**
 * Books payments that come by other ways than Kafka. Key and scope are those of the listener's
 * topic, so a payment that comes both ways is booked once; claim and booking are one transaction.
 */
@Service
class PaymentService {

  static final String SCOPE = "payments";

  private final Deduplicator once;
  private final RiskCheck risk;
  private final Ledger ledger;

  PaymentService(Deduplicators deduplicators, RiskCheck risk, Ledger ledger) {
    this.once = deduplicators.of(Mode.TIERED, "PaymentService");
    this.risk = risk;
    this.ledger = ledger;
  }

  /**
   * Books a payment, unless it is booked.
   *
   * @return what is booked under its id
   * @throws io.dedup.EffectNotDone if it is not known to be booked: come again
   */
  Payment pay(Payment payment) {
    Outcome<Void> outcome =
        once.execute(
            IdempotencyKey.of(SCOPE, payment.id()),
            context -> {
              risk.pass(payment.id());
              ledger.book(payment);
              return null;
            });
    outcome.orElseThrow();
    return ledger.payments(payment.id()).get(0);
  }
}
