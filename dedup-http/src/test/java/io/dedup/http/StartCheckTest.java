// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.InMemoryClaimStore;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;

/** What is refused when an application starts. */
class StartCheckTest {

  private static void assertRefusedAtStart(Object controller, String... words) {
    assertThatThrownBy(() -> App.on(InMemoryClaimStore.create()).bean(controller).start().close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(controller.getClass().getName())
        .message()
        .contains(words);
  }

  @RestController
  static class Events {
    @PostMapping("/x")
    @IdempotentRequest
    SseEmitter events() {
      return new SseEmitter();
    }
  }

  @RestController
  static class Streamed {
    @PostMapping("/x")
    @IdempotentRequest
    Callable<ResponseEntity<StreamingResponseBody>> stream() {
      return () -> null;
    }
  }

  @RestController
  static class Reactive {
    @PostMapping("/x")
    @IdempotentRequest(replay = Replay.STATUS_ONLY)
    Flux<String> flux() {
      return Flux.empty();
    }
  }

  @Test
  void a_streamed_response_without_replay_none() {
    assertRefusedAtStart(new Events(), "replay: was BYTES, must be NONE");
    assertRefusedAtStart(new Streamed(), "replay: was BYTES, must be NONE");
    assertRefusedAtStart(new Reactive(), "replay: was STATUS_ONLY, must be NONE");
  }

  @RestController
  static class Reading {
    @GetMapping("/x")
    @IdempotentRequest
    String read() {
      return "";
    }
  }

  @Test
  void a_method_that_is_not_guarded() {
    assertRefusedAtStart(new Reading(), "methods: was [GET], must have one of");
  }

  @RestController
  static class Unproxied {
    @PostMapping("/x")
    @IdempotentRequest
    @PreAuthorize("hasRole('X')")
    String checked() {
      return "";
    }
  }

  @Test
  void a_handler_that_method_security_would_check_if_it_were_enabled() {
    assertRefusedAtStart(new Unproxied(), "claim-point: was ADVISOR, must be PRE_HANDLE");
  }

  @RestController
  static class CheckedAfter {
    @PostMapping("/x")
    @IdempotentRequest
    @PostAuthorize("returnObject == 'x'")
    String checked() {
      return "";
    }
  }

  @Test
  void a_handler_whose_result_method_security_checks() {
    assertRefusedAtStart(new CheckedAfter(), "replay: was BYTES, must be NONE");
  }

  @RestController
  static class BadSyntax {
    @PostMapping("/x")
    @IdempotentRequest(keySource = KeySource.SPEL, key = "#body.(")
    String x() {
      return "";
    }
  }

  @RestController
  static class BadName {
    @PostMapping("/x")
    @IdempotentRequest(keySource = KeySource.SPEL, key = "#bodi.id + #header['X']")
    String x() {
      return "";
    }
  }

  @Test
  void an_expression_that_cannot_be_parsed_or_refers_to_nothing() {
    assertRefusedAtStart(new BadSyntax(), "key: was '#body.('", "must be an expression");
    assertRefusedAtStart(new BadName(), "must refer to nothing but [body, header, path");
  }

  @RestController
  static class BadDuration {
    @PostMapping("/x")
    @IdempotentRequest(lease = "soon")
    String x() {
      return "";
    }
  }

  @RestController
  static class BadRelation {
    @PostMapping("/x")
    @IdempotentRequest(lease = "2h", retention = "1h")
    String x() {
      return "";
    }
  }

  @RestController
  static class BadHook {
    @PostMapping("/x")
    @IdempotentRequest(replay = Replay.REBUILD, onReplay = "nobody")
    String x() {
      return "";
    }
  }

  @RestController
  static class NoTokens {
    @PostMapping("/x")
    @IdempotentRequest(issuedToken = true)
    String x() {
      return "";
    }
  }

  @RestController
  static class BadWait {
    @PostMapping("/x")
    @IdempotentRequest(concurrent = Concurrent.WAIT, waitFor = "0s")
    String x() {
      return "";
    }
  }

  @RestController
  static class BothWays {
    @PostMapping("/x")
    @IdempotentRequest(replayStatuses = 503, releaseStatuses = 503)
    String x() {
      return "";
    }
  }

  @RestController
  static class FieldsWithoutFields {
    @PostMapping("/x")
    @IdempotentRequest(fingerprint = BodyFingerprint.FIELDS)
    String x() {
      return "";
    }
  }

  @Test
  void what_does_not_go_together() {
    assertRefusedAtStart(new BadDuration(), "lease: was 'soon', must be a duration");
    assertRefusedAtStart(new BadRelation(), "ttl: was PT1H, must not be below lease");
    assertRefusedAtStart(new BadHook(), "on-replay: was nobody, must be one of []");
    assertRefusedAtStart(new NoTokens(), "issued-token: was true, must be false without tokens");
    assertRefusedAtStart(new BadWait(), "wait-for: was PT0S");
    assertRefusedAtStart(new BothWays(), "release-statuses: was 503");
    assertRefusedAtStart(new FieldsWithoutFields(), "fields: was []");
  }
}
