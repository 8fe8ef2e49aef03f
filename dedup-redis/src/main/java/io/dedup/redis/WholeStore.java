// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** The verbs that read all keys, or all of a scope. Thread-safe. */
final class WholeStore {

  private final ScriptRunner runner;
  private final KeyNames names;
  private final Scripts scripts;

  WholeStore(ScriptRunner runner, KeyNames names, Scripts scripts) {
    this.runner = runner;
    this.names = names;
    this.scripts = scripts;
  }

  /** Returns how many keys of {@code scope} are kept longer now. */
  long extend(String scope, ByteWriter request) {
    AtomicLong extended = new AtomicLong();
    walk(
        Verb.EXTEND,
        names.pattern(scope),
        found -> {
          List<byte[]> ofScope = found.stream().filter(n -> names.isOf(scope, n)).toList();
          extended.addAndGet(countYes(Verb.EXTEND, ofScope, request));
          return true;
        });
    return extended.get();
  }

  /**
   * Returns how many were removed, {@code limit} at the most. Each is judged again by the script
   * that removes it.
   */
  int purge(int limit) {
    AtomicInteger left = new AtomicInteger(limit);
    walk(
        Verb.PURGE,
        names.pattern(),
        found -> {
          for (int from = 0; from < found.size() && left.get() > 0; ) {
            int to = Math.min(from + left.get(), found.size());
            left.addAndGet(-countYes(Verb.PURGE, found.subList(from, to), Verb.PURGE.request()));
            from = to;
          }
          return left.get() > 0;
        });
    return limit - left.get();
  }

  /**
   * Returns the counts; a key that {@code SCAN} meets twice, because Redis grew its table
   * meanwhile, counts twice.
   */
  StoreStats count() {
    Map<State, Long> live = new EnumMap<>(State.class);
    AtomicLong expired = new AtomicLong();
    walk(
        Verb.COUNT,
        names.pattern(),
        found -> {
          for (Request counted : run(Verb.COUNT, found, Verb.COUNT.request())) {
            Answers.Counted key = Answers.read(counted.reply(), Answers::counted);
            if (key.state() != null) {
              live.merge(key.state(), 1L, Long::sum);
            } else if (key.exists()) {
              expired.incrementAndGet();
            }
          }
          return true;
        });
    return StoreStats.of(live, expired.get());
  }

  private int countYes(Verb verb, List<byte[]> found, ByteWriter request) {
    List<Request> requests = run(verb, found, request);
    return (int) requests.stream().filter(r -> Answers.read(r.reply(), Answers::yes)).count();
  }

  private List<Request> run(Verb verb, List<byte[]> found, ByteWriter request) {
    List<Request> requests =
        found.stream().map(name -> new Request(names.found(name), request)).toList();
    if (!requests.isEmpty()) {
      runner.run(scripts.of(verb), verb, requests);
    }
    return requests;
  }

  private void walk(Verb verb, String pattern, Predicate<List<byte[]>> visitor) {
    runner.connected(
        verb.file() + " of all keys",
        connection -> {
          KeyScan.walk(connection, pattern, visitor);
          return true;
        });
  }
}
