// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What is asked for by HTTP, each of it several times at once. Thread-safe. */
final class Calls {

  /** How often each request is sent. */
  private static final int TIMES = 2;

  /** How many pay one order at once. */
  private static final int CALLERS = 6;

  private final Client client;
  private final AtomicInteger answers = new AtomicInteger();
  private final List<String> unexpected = new ArrayList<>();

  /** The ids under which requests were taken in, by the keys they were sent with. */
  private final Map<String, String> accepted = new ConcurrentHashMap<>();

  Calls(Client client) {
    this.client = client;
  }

  void make(Plan plan) {
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      plan.bothWays().forEach(one -> calls.add(() -> pay(one)));
      plan.direct().forEach(one -> calls.add(() -> pay(one)));
      plan.requests().forEach(one -> calls.add(() -> request(one)));
    }
    for (Transfer one : plan.orders()) {
      for (int i = 0; i < CALLERS; i++) {
        String caller = "caller-of-an-order-" + i;
        calls.add(() -> payOrder(one, caller));
      }
    }
    client.atOnce(calls);
  }

  private boolean pay(Transfer one) {
    HttpResponse<String> answer = client.post("/payments", one.source(), one.asPayment());
    return expect(answer, answer.statusCode() == 201 && answer.body().contains(one.source()));
  }

  private boolean request(Transfer one) {
    HttpResponse<String> answer =
        client.post("/payment-requests", one.source(), one.asInstruction());
    String location = answer.headers().firstValue("Location").orElse("");
    String id = location.substring(location.lastIndexOf('/') + 1);
    String before = accepted.putIfAbsent(one.source(), id);
    return expect(
        answer,
        answer.statusCode() == 202 && !id.isEmpty() && (before == null || before.equals(id)));
  }

  private boolean payOrder(Transfer one, String caller) {
    String path = "/orders/" + one.source() + "/payment";
    HttpResponse<String> answer = client.post(path, caller, "");
    String status = one.amount() > CountingCardCompany.LIMIT ? "FAILED" : "PAID";
    return expect(answer, answer.statusCode() == 200 && answer.body().contains(status));
  }

  private boolean expect(HttpResponse<String> answer, boolean isRight) {
    answers.incrementAndGet();
    if (!isRight) {
      synchronized (unexpected) {
        unexpected.add(answer.request().uri() + ": " + answer.statusCode() + " " + answer.body());
      }
    }
    return isRight;
  }

  /** Asks what became of the requests. Each must be booked by now. */
  void askForOutcomes() {
    accepted.values().forEach(this::askForOutcome);
  }

  private void askForOutcome(String id) {
    HttpResponse<String> answer = client.get("/payment-requests/" + id);
    expect(answer, answer.statusCode() == 200 && answer.body().contains("BOOKED"));
  }

  /** Returns the transfers that were taken in, under the ids that they got. */
  List<Transfer> accepted(List<Transfer> requests) {
    return requests.stream()
        .map(
            one ->
                new Transfer(
                    accepted.getOrDefault(one.source(), "not taken in"),
                    one.from(),
                    one.to(),
                    one.amount()))
        .toList();
  }

  int answers() {
    return answers.get();
  }

  /** Returns the answers that were not what the client must get. */
  List<String> unexpected() {
    synchronized (unexpected) {
      return List.copyOf(unexpected);
    }
  }
}
