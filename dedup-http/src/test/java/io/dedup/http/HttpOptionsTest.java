// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class HttpOptionsTest {

  private static void assertRefused(UnaryOperator<HttpOptionsBuilder> changes, String message) {
    assertThatThrownBy(() -> HttpOptions.of(changes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void the_defaults_are_those_of_the_manual() {
    HttpOptions options = HttpOptions.defaults();

    assertThat(options.header()).isEqualTo("Idempotency-Key");
    assertThat(options.methods()).containsExactlyInAnyOrder("POST", "PATCH");
    assertThat(options.required()).isFalse();
    assertThat(options.policy().ttl()).isEqualTo(Duration.ofHours(24));
    assertThat(options.policy().lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.request().maxBody()).isEqualTo(1024 * 1024);
    assertThat(options.response().maxBody()).isEqualTo(256 * 1024);
    assertThat(options.key().minLength()).isEqualTo(16);
  }

  @Test
  void what_is_wrong_is_refused_with_what_it_was_and_must_be() {
    assertRefused(o -> o.header("a b"), "header: was 'a b', must be the name of a header");
    assertRefused(
        o -> o.methods(Set.of("GET")), "methods: was [GET], must be some of [DELETE, PATCH, POST");
    assertRefused(o -> o.methods(Set.of()), "methods: was []");
    assertRefused(
        o -> o.key(0, 255, ClientKeyFormat.ANY), "key: was 0 to 255 characters, must be within");
    assertRefused(o -> o.key(9, 8, ClientKeyFormat.ANY), "key: was 9 to 8 characters");
    assertRefused(o -> o.key(1, 256, ClientKeyFormat.ANY), "key: was 1 to 256 characters");
    assertRefused(
        o -> o.concurrent(Concurrent.WAIT).waitFor(Duration.ZERO), "wait-for: was PT0S, must be >");
    assertRefused(
        o -> o.policy(p -> p.inProgressWait(Duration.ofSeconds(1))),
        "in-progress-wait: was PT1S, must be PT0S; use wait-for");
    assertRefused(o -> o.request(0, 1), "request.max-body: was 0, must be at least 1");
    assertRefused(o -> o.responseMaxBody(0), "response.max-body: was 0, must be at least 1");
    assertRefused(o -> o.answers(a -> a.withStatuses(500, 422)), "status.in-progress: was 500");
    assertRefused(o -> o.answers(a -> a.withStatuses(409, 200)), "status.mismatch: was 200");
    assertRefused(
        o -> o.answers(a -> a.withProblemBaseUri("not a uri")), "problem-base-uri: was not a uri");
  }

  @Test
  void a_cookie_is_never_among_the_headers_that_are_kept() {
    for (String name : List.of("Set-Cookie", "set-cookie", "Authorization", "Content-Length")) {
      assertRefused(o -> o.responseHeaders(List.of(name)), "response.headers: was " + name);
    }
  }
}
