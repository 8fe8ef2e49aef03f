// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.DedupContext;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimStore;
import io.dedup.http.IdempotentRequest;
import io.dedup.jdbc.InsertOnce;
import io.dedup.key.IdempotencyKey;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.json.JsonMapper;

/** Payments that are taken in now and booked later, by the listener of their topic. */
@RestController
class PaymentRequestController {

  private final KafkaTemplate<String, String> template;
  private final JsonMapper json;
  private final ClaimStore claims;
  private final JdbcTemplate sql;
  private final InsertOnce<String> requests;

  PaymentRequestController(
      KafkaTemplate<String, String> template,
      JsonMapper json,
      ClaimStore claims,
      JdbcTemplate sql) {
    this.template = template;
    this.json = json;
    this.claims = claims;
    this.sql = sql;
    this.requests =
        InsertOnce.builder(sql)
            .table("payment_request")
            .key("id")
            .returning("id")
            .build((row, number) -> row.getString(1));
  }

  @PostMapping("/payment-requests")
  @IdempotentRequest(operation = "request-payment", required = true)
  ResponseEntity<Void> accept(@RequestBody Instruction instruction, DedupContext context) {
    // The same whenever this request is handled again, after a crash for instance; then the record
    // is published again, and is a duplicate.
    String id = context.childId("payment").toString();
    requests.insert(id);
    Payment payment =
        new Payment(id, instruction.payer(), instruction.payee(), instruction.amount());
    template.send(Messaging.PAYMENTS, payment.payer(), json.writeValueAsString(payment)).join();
    return ResponseEntity.accepted().location(URI.create("/payment-requests/" + id)).build();
  }

  /** What became of a request is what became of its payment's key. */
  @GetMapping("/payment-requests/{id}")
  Status status(@PathVariable String id) {
    Long known =
        sql.queryForObject("select count(*) from payment_request where id = ?", Long.class, id);
    if (known == null || known == 0) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    }
    return claims
        .find(IdempotencyKey.of(PaymentService.SCOPE, id))
        .map(PaymentRequestController::status)
        .orElse(Status.ACCEPTED);
  }

  private static Status status(ClaimRecord claim) {
    return switch (claim.state()) {
      case SUCCEEDED -> Status.BOOKED;
      case FAILED -> Status.FAILED;
      case ISSUED, PROCESSING, RELEASED -> Status.ACCEPTED;
    };
  }

  /**
   * What a client asks for.
   *
   * @param payer whose account it comes from
   * @param payee whose account it goes to
   * @param amount in cents, above 0
   */
  record Instruction(String payer, String payee, long amount) {}

  /** What became of it. */
  enum Status {
    /** It waits, or is being booked. */
    ACCEPTED,
    /** It is done. */
    BOOKED,
    /** It failed, and may be tried again by the listener or an operator. */
    FAILED
  }
}
