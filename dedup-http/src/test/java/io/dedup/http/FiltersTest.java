// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Filters around ours. */
class FiltersTest {

  private static final String KEY = "0123456789abcdef-0123";

  private static Filter counting(String header, AtomicInteger count) {
    return (request, response, chain) -> {
      ((HttpServletResponse) response).setHeader(header, "no " + count.incrementAndGet());
      chain.doFilter(request, response);
    };
  }

  @Test
  void what_filters_in_front_set_is_theirs_each_time_and_not_kept() throws Exception {
    AtomicInteger front = new AtomicInteger();
    AtomicInteger behind = new AtomicInteger();
    try (App app =
        App.on(InMemoryClaimStore.create())
            .bean(new Handlers())
            .filterBefore(context -> counting("X-Front", front))
            .filterBehind(counting("X-Behind", behind))
            .options(o -> o.responseHeaders(List.of("X-Front", "X-Behind", "Content-Type")))
            .requests(r -> r.onReplay("orders", done -> null))
            .start()) {
      app.post("/optional", "{}", App.KEY, KEY);

      HttpResponse<String> second = app.post("/optional", "{}", App.KEY, KEY);

      assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
      assertThat(second.headers().allValues("X-Front")).containsExactly("no 2");
      assertThat(second.headers().allValues("X-Behind")).containsExactly("no 1");
    }
  }
}
