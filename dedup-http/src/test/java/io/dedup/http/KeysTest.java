// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.Deduplicator;
import io.dedup.Outcome;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who shares keys with whom, and where they come from. */
class KeysTest {

  private static final String KEY = "0123456789abcdef-0123";

  private final InMemoryClaimStore store =
      InMemoryClaimStore.create(ManualTime.atBeginning(), 10_000);
  private final Handlers handlers = new Handlers();
  private App app;

  private void start(UnaryOperator<HttpOptionsBuilder> options) throws Exception {
    start(options, r -> {});
  }

  private void start(
      UnaryOperator<HttpOptionsBuilder> options, Consumer<IdempotentRequests.Builder> more)
      throws Exception {
    app =
        App.on(store)
            .bean(handlers)
            .options(options)
            .requests(more.andThen(r -> r.onReplay("orders", done -> null)))
            .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    return app.post(path, "{}", headers);
  }

  private static String status(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotency-Status").orElse(null);
  }

  @Test
  void two_principals_never_share_a_key_a_body_or_a_header() throws Exception {
    start(o -> o);
    handlers.script =
        (request, response, context) -> {
          response.setHeader("Location", "/of/" + request.getUserPrincipal().getName());
          return request.getUserPrincipal().getName() + " " + context.key().id();
        };

    HttpResponse<String> alice = post("/optional", App.KEY, KEY, "X-User", "alice");
    HttpResponse<String> bob = post("/optional", App.KEY, KEY, "X-User", "bob");

    assertThat(status(bob)).isEqualTo("executed");
    assertThat(bob.body()).startsWith("bob ");
    assertThat(bob.headers().firstValue("Location")).hasValue("/of/bob");
    assertThat(bob.body().substring(4)).isNotEqualTo(alice.body().substring(6));
    assertThat(post("/optional", App.KEY, KEY, "X-User", "alice").body()).isEqualTo(alice.body());
    assertThat(post("/optional", App.KEY, KEY, "X-User", "bob").body()).isEqualTo(bob.body());
  }

  @Test
  void an_anonymous_caller_has_no_key_of_anybody_whatever_that_one_is_called() throws Exception {
    start(o -> o);
    post("/optional", App.KEY, KEY, "X-User", "anonymous");

    assertThat(status(post("/optional", App.KEY, KEY))).isEqualTo("executed");
    assertThat(status(post("/optional", App.KEY, KEY))).isEqualTo("replayed");
  }

  @Test
  void an_anonymous_caller_needs_a_key_that_others_do_not_guess() throws Exception {
    start(o -> o);

    HttpResponse<String> response = post("/optional", App.KEY, "0123456789abcdef");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("key-invalid").contains("at least 20");
  }

  @Test
  void an_anonymous_caller_who_is_bypassed_runs_each_time_and_is_told_so() throws Exception {
    start(o -> o);

    post("/bypassed", App.KEY, KEY);
    HttpResponse<String> second = post("/bypassed", App.KEY, KEY);

    assertThat(second.body()).isEqualTo("run 2");
    assertThat(status(second)).isEqualTo("bypassed");
  }

  @Test
  void two_operations_never_share_a_key_unless_told_to() throws Exception {
    start(o -> o);
    post("/optional", App.KEY, KEY);

    assertThat(status(post("/required", App.KEY, KEY))).isEqualTo("executed");
  }

  @Test
  void a_key_for_all_operations_is_refused_at_the_second_one() throws Exception {
    start(o -> o.keyPerOperation(false));
    post("/optional", App.KEY, KEY);

    HttpResponse<String> other = post("/required", App.KEY, KEY);

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains("key-reused");
  }

  @Test
  void the_same_route_with_another_variable_is_another_request() throws Exception {
    start(o -> o);
    post("/orders/1/pay", App.KEY, KEY);

    assertThat(status(post("/orders/1/pay", App.KEY, KEY))).isEqualTo("replayed");
    assertThat(post("/orders/2/pay", App.KEY, KEY).statusCode()).isEqualTo(422);
  }

  @Test
  void users_of_one_tenant_share_keys_where_the_scope_is_the_tenant() throws Exception {
    start(
        o -> o.scope(KeyScope.TENANT),
        r -> r.tenants(q -> q.getHeader("X-Tenant") == null ? "" : q.getHeader("X-Tenant")));
    post("/optional", App.KEY, KEY, "X-User", "alice", "X-Tenant", "blue");

    assertThat(status(post("/optional", App.KEY, KEY, "X-User", "bob", "X-Tenant", "blue")))
        .isEqualTo("replayed");
    assertThat(status(post("/optional", App.KEY, KEY, "X-User", "alice", "X-Tenant", "red")))
        .isEqualTo("executed");
  }

  @Test
  void one_user_of_two_tenants_has_keys_in_each() throws Exception {
    start(o -> o, r -> r.tenants(q -> q.getHeader("X-Tenant")));
    post("/optional", App.KEY, KEY, "X-User", "alice", "X-Tenant", "blue");

    assertThat(status(post("/optional", App.KEY, KEY, "X-User", "alice", "X-Tenant", "red")))
        .isEqualTo("executed");
  }

  @Test
  void everybody_shares_keys_where_the_scope_is_global() throws Exception {
    start(o -> o.scope(KeyScope.GLOBAL));
    post("/optional", App.KEY, KEY, "X-User", "alice");

    assertThat(status(post("/optional", App.KEY, KEY, "X-User", "bob"))).isEqualTo("replayed");
  }

  @Test
  void the_application_may_say_who_calls() throws Exception {
    start(
        o -> o,
        r -> r.callers((q, scope) -> new Caller("terminal", q.getHeader("X-Terminal"), "")));
    post("/optional", App.KEY, KEY, "X-Terminal", "7");

    assertThat(status(post("/optional", App.KEY, KEY, "X-Terminal", "7"))).isEqualTo("replayed");
    assertThat(status(post("/optional", App.KEY, KEY, "X-Terminal", "8"))).isEqualTo("executed");
  }

  @Test
  void a_uuid_is_the_same_key_in_upper_and_lower_case() throws Exception {
    start(o -> o.key(16, 255, ClientKeyFormat.UUID));
    post("/optional", App.KEY, "F47AC10B-58CC-4372-A567-0E02B2C3D479");

    assertThat(status(post("/optional", App.KEY, "f47ac10b-58cc-4372-a567-0e02b2c3d479")))
        .isEqualTo("replayed");
    assertThat(post("/optional", App.KEY, KEY).statusCode()).isEqualTo(400);
  }

  @Test
  void another_header_can_carry_the_key() throws Exception {
    start(o -> o.header("X-Request-Id"));
    post("/optional", "X-Request-Id", KEY);

    assertThat(status(post("/optional", "X-Request-Id", KEY))).isEqualTo("replayed");
    assertThat(status(post("/optional", App.KEY, KEY))).isNull();
  }

  @Test
  void an_expression_finds_the_key_in_the_body_and_the_header_does_not_override_it()
      throws Exception {
    start(o -> o);
    app.post("/by-body", "{\"order\":\"A-1\"}", App.KEY, KEY, "X-User", "alice");

    HttpResponse<String> same =
        app.post("/by-body", "{\"order\":\"A-1\"}", App.KEY, "0000" + KEY, "X-User", "alice");
    HttpResponse<String> without = app.post("/by-body", "{\"order\":\"A-1\"}", "X-User", "alice");
    HttpResponse<String> other =
        app.post("/by-body", "{\"order\":\"A-2\"}", App.KEY, KEY, "X-User", "alice");

    assertThat(status(same)).isEqualTo("replayed");
    assertThat(status(without)).isEqualTo("replayed");
    assertThat(status(other)).isEqualTo("executed");
  }

  @Test
  void an_expression_that_finds_nothing_is_400_where_a_key_is_required() throws Exception {
    start(o -> o);

    for (String body : new String[] {"{}", "{\"order\":null}", "{\"order\":\" \"}", "[1]", "x"}) {
      HttpResponse<String> response = app.post("/by-body", body, "X-User", "alice");
      assertThat(response.statusCode()).as(body).isEqualTo(400);
      assertThat(response.body()).contains("key-missing");
    }
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void an_expression_that_finds_nothing_never_bypasses_in_silence() throws Exception {
    start(o -> o);

    HttpResponse<String> response = app.post("/by-body-if-there", "{}", "X-User", "alice");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(status(response)).isEqualTo("bypassed");
  }

  @Test
  void header_and_expression_are_joined() throws Exception {
    start(o -> o);
    post("/by-both/7?x=1", App.KEY, KEY);

    assertThat(status(post("/by-both/7?x=1", App.KEY, KEY))).isEqualTo("replayed");
    assertThat(status(post("/by-both/8?x=1", App.KEY, KEY))).isEqualTo("executed");
    assertThat(status(post("/by-both/7?x=2", App.KEY, KEY))).isEqualTo("executed");
  }

  @Test
  void a_key_in_a_shared_scope_is_the_one_that_other_adapters_have() throws Exception {
    start(o -> o);
    handlers.script = (request, response, context) -> context.key().toString();

    HttpResponse<String> response = post("/shared", App.KEY, KEY);

    IdempotencyKey key = IdempotencyKey.of("payments", KEY);
    assertThat(response.body()).isEqualTo(key.toString());
    assertThat(store.find(key).orElseThrow().state()).isEqualTo(State.SUCCEEDED);
  }

  @Test
  void what_another_adapter_has_done_without_an_answer_is_done_and_not_replayable()
      throws Exception {
    start(o -> o);
    try (Deduplicator other = Deduplicator.builder(store).build()) {
      assertThat(other.execute(IdempotencyKey.of("payments", KEY), context -> "done"))
          .isInstanceOf(Outcome.Executed.class);
    }

    HttpResponse<String> response = post("/shared", App.KEY, KEY);

    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("completed-not-replayable");
    assertThat(handlers.runs).hasValue(0);
  }

  @Test
  void a_tool_finds_the_record_of_a_clients_key() throws Exception {
    start(o -> o.namespace("shop"));
    post("/optional", App.KEY, KEY, "X-User", "alice");

    IdempotencyKey key =
        RequestKey.of("shop", new Caller("principal", "alice", ""), "POST /optional", KEY);
    assertThat(store.find(key).orElseThrow().state()).isEqualTo(State.SUCCEEDED);
    assertThat(key.scope()).isEqualTo("http:POST /optional");
  }

  @Test
  void paths_are_included_without_an_annotation_and_excluded_with_one() throws Exception {
    start(o -> o.include(List.of("/plain")).exclude(List.of("/optional", "/orders/**")));
    post("/plain", App.KEY, KEY);

    assertThat(status(post("/plain", App.KEY, KEY))).isEqualTo("replayed");
    assertThat(status(post("/optional", App.KEY, KEY))).isNull();
    assertThat(status(post("/orders/1/pay", App.KEY, KEY))).isNull();
  }

  @Test
  void a_key_is_sent_back_only_where_that_is_wanted() throws Exception {
    start(o -> o.answers(a -> a.withEchoKey(true)));

    assertThat(post("/optional", App.KEY, KEY).headers().firstValue(App.KEY)).hasValue(KEY);
    assertThat(post("/optional", App.KEY, KEY).headers().firstValue(App.KEY)).hasValue(KEY);
    HttpResponse<String> other = app.post("/optional", "{\"a\":1}", App.KEY, KEY);
    assertThat(other.headers().firstValue(App.KEY)).isEmpty();
  }

  @Test
  void scripts_of_other_origins_may_read_our_headers() throws Exception {
    start(o -> o);

    HttpResponse<String> cross = post("/optional", App.KEY, KEY, "Origin", "https://shop.example");
    HttpResponse<String> same = post("/optional", App.KEY, KEY);

    assertThat(cross.headers().firstValue("Access-Control-Expose-Headers"))
        .hasValue("Idempotency-Status, Idempotent-Replayed");
    assertThat(same.headers().firstValue("Access-Control-Expose-Headers")).isEmpty();
  }

  @Test
  void statuses_of_refusals_can_be_others() throws Exception {
    start(o -> o.answers(a -> a.withStatuses(423, 409)));
    post("/optional", App.KEY, KEY);

    HttpResponse<String> other = app.post("/optional", "{\"a\":1}", App.KEY, KEY);

    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("\"status\":409").contains("key-reused");
  }
}
