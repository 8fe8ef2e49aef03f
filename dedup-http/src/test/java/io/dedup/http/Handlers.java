// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import io.dedup.claim.OnLeaseExpired;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that do what a test says, and count how often. */
@RestController
class Handlers {

  /** What a handler does. */
  @FunctionalInterface
  interface Script {
    Object run(HttpServletRequest request, HttpServletResponse response, DedupContext context)
        throws Exception;
  }

  final AtomicInteger runs = new AtomicInteger();
  volatile Script script = (request, response, context) -> "run " + runs.get();

  Object run(HttpServletRequest request, HttpServletResponse response, DedupContext context)
      throws Exception {
    runs.incrementAndGet();
    return script.run(request, response, context);
  }

  @PostMapping("/optional")
  @IdempotentRequest
  Object optional(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/required")
  @IdempotentRequest(required = true)
  Object required(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/orders/{id}/pay")
  @IdempotentRequest
  Object pay(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/hold")
  @IdempotentRequest(onLeaseExpired = OnLeaseExpired.HOLD)
  Object hold(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/wait")
  @IdempotentRequest(concurrent = Concurrent.WAIT, waitFor = "20s")
  Object waiting(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/wait-briefly")
  @IdempotentRequest(concurrent = Concurrent.WAIT, waitFor = "50ms")
  Object waitingBriefly(HttpServletRequest q, HttpServletResponse a, DedupContext c)
      throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/status-only")
  @IdempotentRequest(replay = Replay.STATUS_ONLY)
  Object statusOnly(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/not-replayed")
  @IdempotentRequest(replay = Replay.NONE)
  Object notReplayed(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/rebuilt")
  @IdempotentRequest(replay = Replay.REBUILD, onReplay = "orders")
  Object rebuilt(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/open")
  @IdempotentRequest(onStoreFailure = OnStoreFailure.FAIL_OPEN)
  Object open(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/no-anonymous")
  @IdempotentRequest(anonymous = AnonymousCallers.REJECT)
  Object noAnonymous(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/bypassed")
  @IdempotentRequest(anonymous = AnonymousCallers.BYPASS)
  Object bypassed(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/own-rules")
  @IdempotentRequest(
      replayStatuses = 503,
      releaseStatuses = 404,
      releaseOn = IllegalStateException.class,
      keepOn = Refusal.class)
  Object ownRules(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/back-off")
  @IdempotentRequest(failureTtl = "30s")
  Object backOff(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/by-body")
  @IdempotentRequest(keySource = KeySource.SPEL, key = "#body.order", required = true)
  Object byBody(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/by-body-if-there")
  @IdempotentRequest(keySource = KeySource.SPEL, key = "#body.order")
  Object byBodyIfThere(HttpServletRequest q, HttpServletResponse a, DedupContext c)
      throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/by-both/{id}")
  @IdempotentRequest(keySource = KeySource.HEADER_AND_SPEL, key = "#path.id + #query.x")
  Object byBoth(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/ignoring")
  @IdempotentRequest(ignore = {"/timestamp", "/meta/trace"})
  Object ignoring(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/fields")
  @IdempotentRequest(
      fingerprint = BodyFingerprint.FIELDS,
      fields = {"#body.amount", "#body.currency"})
  Object fields(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/any-body")
  @IdempotentRequest(fingerprint = BodyFingerprint.NONE, fingerprintHeaders = "X-Version")
  Object anyBody(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/shared")
  @IdempotentRequest(sharedScope = "payments")
  Object shared(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  @PostMapping("/plain")
  Object plain(HttpServletRequest q, HttpServletResponse a, DedupContext c) throws Exception {
    return run(q, a, c);
  }

  /** The page that the container shows for an error. */
  @RequestMapping("/error")
  ResponseEntity<String> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    Object message = request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
    return ResponseEntity.status((Integer) status).body("error page " + status + " " + message);
  }

  @ExceptionHandler
  ResponseEntity<String> refused(Refusal refusal) {
    return ResponseEntity.status(500).body("refused " + runs.get());
  }

  /** An exception that somebody makes a response of. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
  }
}
