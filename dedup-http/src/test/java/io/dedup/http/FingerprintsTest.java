// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.InMemoryClaimStore;
import io.dedup.testkit.ManualTime;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which requests with one key are the same, as they come over the wire. */
class FingerprintsTest {

  private static final String KEY = "0123456789abcdef-0123";
  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Handlers handlers = new Handlers();
  private App app;

  @BeforeEach
  void start() throws Exception {
    app =
        App.on(InMemoryClaimStore.create(ManualTime.atBeginning(), 10_000))
            .bean(handlers)
            .requests(r -> r.onReplay("orders", done -> null))
            .start();
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private String send(String path, String type, HttpRequest.BodyPublisher body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + path))
            .header(App.KEY, KEY)
            .POST(body);
    if (type != null) {
      request.header("Content-Type", type);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = app.send(request.build());
    return response.headers().firstValue("Idempotency-Status").orElse("none");
  }

  private String text(String path, String type, String body) throws Exception {
    return send(path, type, BodyPublishers.ofString(body));
  }

  @Test
  void order_and_spacing_of_json_do_not_matter_and_digits_do() throws Exception {
    text("/optional", JSON, "{\"a\":1.0,\"b\":[1,2]}");

    assertThat(text("/optional", JSON, " { \"b\" : [1, 2], \"a\" : 1.0 } ")).isEqualTo("replayed");
    assertThat(text("/optional", "application/json;charset=utf-8", "{\"b\":[1,2],\"a\":1.0}"))
        .isEqualTo("replayed");
    assertThat(text("/optional", JSON, "{\"a\":1,\"b\":[1,2]}")).isEqualTo("mismatch");
    assertThat(text("/optional", JSON, "{\"a\":1.0,\"b\":[2,1]}")).isEqualTo("mismatch");
  }

  @Test
  void json_that_names_a_member_twice_is_compared_byte_by_byte() throws Exception {
    text("/optional", JSON, "{\"a\":1,\"a\":2}");

    assertThat(text("/optional", JSON, "{\"a\":1,\"a\":2}")).isEqualTo("replayed");
    assertThat(text("/optional", JSON, "{\"a\":2,\"a\":1}")).isEqualTo("mismatch");
    assertThat(text("/optional", JSON, "{\"a\":2}")).isEqualTo("mismatch");
  }

  @Test
  void text_that_is_no_json_is_compared_byte_by_byte() throws Exception {
    text("/optional", JSON, "{\"a\":");

    assertThat(text("/optional", JSON, "{\"a\":")).isEqualTo("replayed");
    assertThat(text("/optional", JSON, "{ \"a\":")).isEqualTo("mismatch");
  }

  @Test
  void bytes_chunks_and_nothing_are_bodies_too() throws Exception {
    byte[] bytes = {0, 1, 2, (byte) 0xff};
    send("/optional", "application/octet-stream", BodyPublishers.ofByteArray(bytes));

    assertThat(
            send(
                "/optional",
                "application/octet-stream",
                BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(bytes))))
        .isEqualTo("replayed");
    assertThat(send("/optional", "application/octet-stream", BodyPublishers.noBody()))
        .isEqualTo("mismatch");
    send("/required", null, BodyPublishers.noBody());
    assertThat(send("/required", null, BodyPublishers.noBody())).isEqualTo("replayed");
  }

  @Test
  void the_order_of_parameters_does_not_matter() throws Exception {
    text("/optional?b=2&a=1&a=0", JSON, "{}");

    assertThat(text("/optional?a=1&a=0&b=2", JSON, "{}")).isEqualTo("replayed");
    assertThat(text("/optional?a=0&a=1&b=2", JSON, "{}")).isEqualTo("mismatch");
    assertThat(text("/optional?a=1&b=2", JSON, "{}")).isEqualTo("mismatch");
  }

  @Test
  void a_form_is_compared_by_its_fields_and_its_handler_still_reads_them() throws Exception {
    handlers.script =
        (request, response, context) -> request.getParameter("a") + request.getParameter("b");
    text("/optional", FORM, "a=1&b=2");

    assertThat(text("/optional", FORM, "b=2&a=1")).isEqualTo("replayed");
    assertThat(text("/optional", FORM, "a=1&b=3")).isEqualTo("mismatch");
    HttpResponse<String> replayed =
        app.post("/optional", "a=1&b=2", App.KEY, KEY, "Content-Type", FORM);
    assertThat(replayed.body()).isEqualTo("12");
  }

  @Test
  void a_multipart_request_is_compared_by_its_parts_and_not_by_its_boundary() throws Exception {
    handlers.script =
        (request, response, context) ->
            new String(
                request.getPart("file").getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(multipart("one", "a.txt", "content")).isEqualTo("executed");
    assertThat(multipart("two", "a.txt", "content")).isEqualTo("replayed");
    assertThat(multipart("three", "b.txt", "content")).isEqualTo("mismatch");
    assertThat(multipart("four", "a.txt", "other")).isEqualTo("mismatch");
    assertThat(handlers.runs).hasValue(1);
  }

  private String multipart(String boundary, String fileName, String content) throws Exception {
    String body =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
            + fileName
            + "\"\r\nContent-Type: text/plain\r\n\r\n"
            + content
            + "\r\n--"
            + boundary
            + "--\r\n";
    return text("/optional", "multipart/form-data; boundary=" + boundary, body);
  }

  @Test
  void what_is_ignored_may_differ_and_nothing_else() throws Exception {
    text("/ignoring", JSON, "{\"a\":1,\"timestamp\":1,\"meta\":{\"trace\":\"x\",\"k\":1}}");

    assertThat(text("/ignoring", JSON, "{\"a\":1,\"timestamp\":2,\"meta\":{\"k\":1}}"))
        .isEqualTo("replayed");
    assertThat(text("/ignoring", JSON, "{\"a\":1,\"timestamp\":1,\"meta\":{\"k\":2}}"))
        .isEqualTo("mismatch");
  }

  @Test
  void chosen_fields_alone_are_compared() throws Exception {
    text("/fields", JSON, "{\"amount\":10,\"currency\":\"EUR\",\"note\":\"x\"}");

    assertThat(text("/fields", JSON, "{\"note\":\"y\",\"amount\":10,\"currency\":\"EUR\"}"))
        .isEqualTo("replayed");
    assertThat(text("/fields", JSON, "{\"amount\":11,\"currency\":\"EUR\"}")).isEqualTo("mismatch");
  }

  @Test
  void a_body_that_does_not_count_may_differ_and_a_header_that_does_may_not() throws Exception {
    send("/any-body", JSON, BodyPublishers.ofString("{}"), "X-Version", "1");

    assertThat(send("/any-body", JSON, BodyPublishers.ofString("[1]"), "X-Version", "1"))
        .isEqualTo("replayed");
    assertThat(send("/any-body", JSON, BodyPublishers.ofString("{}"), "X-Version", "2"))
        .isEqualTo("mismatch");
  }

  @Test
  void another_media_type_is_another_request() throws Exception {
    text("/optional", JSON, "{}");

    assertThat(text("/optional", "text/plain", "{}")).isEqualTo("mismatch");
  }
}
