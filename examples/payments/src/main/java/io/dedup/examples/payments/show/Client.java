// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A client that sends a request again until it is answered for good. Thread-safe. */
final class Client implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int TRIES = 100;
  private static final int PAUSE_MS = 100;
  private static final int THREADS = 8;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final String base;

  Client(int port) {
    this.base = "http://127.0.0.1:" + port;
  }

  /** Sends the body with the key, again while it is told to come again. */
  HttpResponse<String> post(String path, String key, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    for (int i = 0; i < TRIES; i++) {
      HttpResponse<String> response = send(request);
      boolean busy = response.statusCode() == 409 && response.body().contains("in-progress");
      if (response.statusCode() != 503 && !busy) {
        return response;
      }
      pause();
    }
    throw new IllegalStateException(path + ": was told to come again for too long");
  }

  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT).build());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(request.uri() + " did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Does all of it at once. */
  <T> List<T> atOnce(List<Callable<T>> calls) {
    try {
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : threads.invokeAll(calls)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
