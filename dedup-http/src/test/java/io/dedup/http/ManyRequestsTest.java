// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many clients, or one that is impatient. */
class ManyRequestsTest {

  private static final String KEY = "0123456789abcdef-0123";

  private final InMemoryClaimStore store =
      InMemoryClaimStore.create(ManualTime.atBeginning(), 10_000);
  private final Handlers handlers = new Handlers();

  private App process() throws Exception {
    return App.on(store).bean(handlers).requests(r -> r.onReplay("orders", done -> null)).start();
  }

  @Test
  void of_a_thousand_requests_at_once_with_one_key_one_runs_and_none_gets_5xx() throws Exception {
    try (App app = process()) {
      assertOneRuns(List.of(app));
    }
  }

  @Test
  void of_a_thousand_requests_to_two_processes_one_runs_and_none_gets_5xx() throws Exception {
    try (App one = process();
        App other = process()) {
      assertOneRuns(List.of(one, other));
    }
  }

  private void assertOneRuns(List<App> apps) throws Exception {
    CountDownLatch answered = new CountDownLatch(100);
    // It runs until a good many have been refused, so that they do meet it.
    handlers.script =
        (request, response, context) -> {
          assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
          return "done";
        };
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 1000)
            .mapToObj(
                i ->
                    apps.get(i % apps.size())
                        .postLater("/optional", "{}", App.KEY, KEY)
                        .whenComplete((response, failure) -> answered.countDown()))
            .toList();
    int executed = 0;
    int refused = 0;
    for (CompletableFuture<HttpResponse<String>> one : all) {
      HttpResponse<String> response = one.get(100, TimeUnit.SECONDS);
      String status = response.headers().firstValue("Idempotency-Status").orElse("none");
      if (response.statusCode() == 409) {
        assertThat(status).isEqualTo("in-progress");
        refused++;
      } else {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("done");
        assertThat(status).isIn("executed", "replayed");
        executed += status.equals("executed") ? 1 : 0;
      }
    }
    assertThat(handlers.runs).hasValue(1);
    assertThat(executed).isEqualTo(1);
    assertThat(refused).isGreaterThanOrEqualTo(100);
  }
}
