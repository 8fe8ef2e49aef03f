// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import java.util.List;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Books what comes by Kafka. That each is booked once is said in application.yaml, and only there.
 */
@Component
class PaymentListeners {

  private final RiskCheck risk;
  private final Ledger ledger;

  PaymentListeners(RiskCheck risk, Ledger ledger) {
    this.risk = risk;
    this.ledger = ledger;
  }

  @KafkaListener(id = "payments", topics = Messaging.PAYMENTS)
  void on(Payment payment) {
    risk.pass(payment.id());
    ledger.book(payment);
  }

  /** All of them are one transaction. */
  @KafkaListener(id = "fees", topics = Messaging.FEES, batch = "true")
  void on(List<Fee> fees) {
    for (Fee fee : fees) {
      risk.pass(fee.id());
      ledger.move(fee.id(), fee.account(), Ledger.BANK, fee.amount());
    }
  }
}
