// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.State;
import io.dedup.claim.StoreStats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.springframework.data.redis.connection.RedisConnection;

/** The verbs that read all keys, or all of a scope. Thread-safe. */
final class WholeStore {

  private final ScriptRunner runner;
  private final KeyNames names;
  private final Scripts scripts;
  private final RedisLayout layout;

  WholeStore(ScriptRunner runner, KeyNames names, Scripts scripts, RedisLayout layout) {
    this.runner = runner;
    this.names = names;
    this.scripts = scripts;
    this.layout = layout;
  }

  /** Returns how many keys of {@code scope} are kept longer now. */
  long extend(String scope, ByteWriter request) {
    AtomicLong extended = new AtomicLong();
    walk(
        Verb.EXTEND,
        names.pattern(scope),
        (redis, found) -> {
          List<byte[]> ofScope = found.stream().filter(n -> names.isOf(scope, n)).toList();
          extended.addAndGet(countYes(redis, Verb.EXTEND, ofScope, request));
          return true;
        });
    walkPages(
        Verb.EXTEND,
        (redis, page) -> {
          List<byte[]> ofScope =
              redis.hashCommands().hKeys(page).stream()
                  .map(form -> names.inPage(page, form))
                  .filter(name -> names.isOf(scope, name))
                  .toList();
          extended.addAndGet(countYes(redis, Verb.EXTEND, ofScope, request));
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
        (redis, found) -> {
          for (int from = 0; from < found.size() && left.get() > 0; ) {
            int to = Math.min(from + left.get(), found.size());
            List<byte[]> some = found.subList(from, to);
            left.addAndGet(-countYes(redis, Verb.PURGE, some, Verb.PURGE.request()));
            from = to;
          }
          return left.get() > 0;
        });
    return limit - left.get();
  }

  /**
   * Returns the counts; a key that {@code SCAN} meets twice, because Redis grew its table
   * meanwhile, counts twice. In the compact layout, what has expired counts as done until its page
   * is dropped.
   */
  StoreStats count() {
    Map<State, Long> live = new EnumMap<>(State.class);
    AtomicLong expired = new AtomicLong();
    walk(
        Verb.COUNT,
        names.pattern(),
        (redis, found) -> {
          for (Request counted : run(redis, Verb.COUNT, found, Verb.COUNT.request())) {
            Answers.Counted key = Answers.read(counted.reply(), Answers::counted);
            if (key.state() != null) {
              live.merge(key.state(), 1L, Long::sum);
            } else if (key.exists()) {
              expired.incrementAndGet();
            }
          }
          return true;
        });
    walkPages(
        Verb.COUNT,
        (redis, page) -> live.merge(State.SUCCEEDED, redis.hashCommands().hLen(page), Long::sum));
    return StoreStats.of(live, expired.get());
  }

  private int countYes(RedisConnection redis, Verb verb, List<byte[]> found, ByteWriter request) {
    List<Request> requests = run(redis, verb, found, request);
    return (int) requests.stream().filter(r -> Answers.read(r.reply(), Answers::yes)).count();
  }

  private List<Request> run(
      RedisConnection redis, Verb verb, List<byte[]> found, ByteWriter request) {
    List<Request> requests =
        found.stream().map(name -> new Request(names.found(name), request)).toList();
    if (!requests.isEmpty()) {
      runner.run(redis, scripts.of(verb), requests);
    }
    return requests;
  }

  /** Visits the pages of the compact layout; each that is there all the while at least once. */
  private void walkPages(Verb verb, BiConsumer<RedisConnection, byte[]> visitor) {
    if (layout == RedisLayout.COMPACT) {
      walk(
          verb,
          names.pages(),
          (redis, pages) -> {
            pages.forEach(page -> visitor.accept(redis, page));
            return true;
          });
    }
  }

  /** Scans and calls on one connection: a pool may have no second one. */
  private void walk(Verb verb, String pattern, BiPredicate<RedisConnection, List<byte[]>> visitor) {
    runner.connected(
        verb.file() + " of all keys",
        redis -> {
          KeyScan.walk(redis, pattern, names -> visitor.test(redis, names));
          return true;
        });
  }
}
