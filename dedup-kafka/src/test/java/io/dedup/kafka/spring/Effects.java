// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;

/** What a listener has done, and what it is to fail at. Values are its messages. */
final class Effects {

  private final @Nullable Effects all;
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<String> attempts = new CopyOnWriteArrayList<>();
  private final List<String> recovered = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger emptyCalls = new AtomicInteger();

  Effects() {
    this.all = null;
  }

  /** Makes those of one listener, which are told to {@code all} as well. */
  Effects(Effects all) {
    this.all = all;
  }

  /** Has the next {@code times} attempts at a value fail. */
  void fail(String value, int times) {
    failures.put(value, times);
  }

  /** The listener was called with one value. */
  void one(String value) {
    calls.incrementAndGet();
    attempt(value);
  }

  /** The listener was called with a batch. Names the place of what fails. */
  void batch(List<String> values) {
    batchCalled(values.size());
    for (int i = 0; i < values.size(); i++) {
      try {
        attempt(values.get(i));
      } catch (IllegalStateException e) {
        throw new BatchListenerFailedException("failed", e, i);
      }
    }
  }

  /** The listener was called with a batch of this size, and says the rest by itself. */
  void batchCalled(int size) {
    calls.incrementAndGet();
    if (size == 0) {
      emptyCalls.incrementAndGet();
    }
  }

  void attempt(String value) {
    attempts.add(value);
    int left = failures.getOrDefault(value, 0);
    if (left > 0) {
      failures.put(value, left - 1);
      throw new IllegalStateException("must fail");
    }
    done.add(value);
    if (all != null) {
      all.done.add(value);
    }
  }

  void recover(String value) {
    recovered.add(value);
  }

  List<String> done() {
    return done;
  }

  /** Returns what was done of a partition, in order. */
  List<String> done(int partition) {
    return done.stream().filter(value -> value.startsWith(partition + ":")).toList();
  }

  long attempts(String value) {
    return attempts.stream().filter(value::equals).count();
  }

  List<String> recovered() {
    return recovered;
  }

  int calls() {
    return calls.get();
  }

  int emptyCalls() {
    return emptyCalls.get();
  }
}
