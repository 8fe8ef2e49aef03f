// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.http.IdempotentRequest;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Payments at once. */
@RestController
class PaymentController {

  private final PaymentService service;
  private final Ledger ledger;

  PaymentController(PaymentService service, Ledger ledger) {
    this.service = service;
    this.ledger = ledger;
  }

  @PostMapping("/payments")
  @IdempotentRequest(operation = "pay", required = true)
  ResponseEntity<?> pay(@RequestBody Payment payment) {
    Payment booked = service.pay(payment);
    return booked.equals(payment)
        ? ResponseEntity.created(URI.create("/payments/" + booked.id())).body(booked)
        : ResponseEntity.of(
                ProblemDetail.forStatusAndDetail(
                    HttpStatus.CONFLICT, "another payment is booked under this id"))
            .build();
  }

  @GetMapping("/payments/{id}")
  List<Payment> payments(@PathVariable String id) {
    return ledger.payments(id);
  }
}
