// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.LargeResults;
import io.dedup.Policy;
import io.dedup.ResultStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.claim.StoredResult;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;

/** Responses that are kept outside the record of their key. */
class LargeResponsesTest {

  private static final String KEY = "0123456789abcdef-0123";
  private static final String LARGE = "x".repeat(50_000);

  private final Results results = new Results();
  private final Handlers handlers = new Handlers();
  private App app;

  /** A place in memory that can be out of reach. */
  private static final class Results implements ResultStore {
    private final Map<String, StoredResult> kept = new ConcurrentHashMap<>();
    volatile boolean down;

    private Map<String, StoredResult> reached() {
      if (down) {
        throw new StoreUnavailable("switched off by a test", null);
      }
      return kept;
    }

    @Override
    public long maxBytes() {
      return 1_000_000;
    }

    @Override
    public String put(StoredResult result, Duration ttl) {
      String reference = "r" + reached().size();
      kept.put(reference, result);
      return reference;
    }

    @Override
    public Optional<StoredResult> find(String reference) {
      return Optional.ofNullable(reached().get(reference));
    }

    @Override
    public void extend(String reference, Duration ttl) {
      reached();
    }

    @Override
    public int purgeExpired(int limit) {
      return 0;
    }
  }

  @BeforeEach
  void start() throws Exception {
    LargeResults large =
        LargeResults.builder().limitBytes(1000).store(results, Policy.defaults()).build();
    app =
        App.on(InMemoryClaimStore.create())
            .bean(handlers)
            .requests(r -> r.largeResults(large).onReplay("orders", done -> null))
            .start();
    handlers.script =
        (request, response, context) ->
            ResponseEntity.status(201).header("Location", "/orders/7").body(LARGE);
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private HttpResponse<String> post(String path) throws Exception {
    return app.post(path, "{}", App.KEY, KEY);
  }

  @Test
  void a_large_response_is_replayed_from_where_it_is_kept() throws Exception {
    post("/optional");

    HttpResponse<String> second = post("/optional");

    assertThat(results.kept).hasSize(1);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(LARGE);
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void a_response_that_is_out_of_reach_is_503_even_where_the_operation_fails_open()
      throws Exception {
    post("/open");
    results.down = true;

    assertThat(post("/open").statusCode()).isEqualTo(503);
    results.down = false;
    assertThat(post("/open").body()).isEqualTo(LARGE);
    assertThat(handlers.runs).hasValue(1);
  }

  @Test
  void a_response_that_is_gone_is_409_completed_not_replayable() throws Exception {
    post("/optional");
    results.kept.clear();

    HttpResponse<String> second = post("/optional");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("completed-not-replayable");
  }

  @Test
  void a_response_that_cannot_be_kept_leaves_its_request_done() throws Exception {
    results.down = true;

    assertThat(post("/optional").body()).isEqualTo(LARGE);
    HttpResponse<String> second = post("/optional");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("\"originalStatus\":201");
    assertThat(second.headers().firstValue("Location")).hasValue("/orders/7");
    assertThat(handlers.runs).hasValue(1);
  }
}
