// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.DedupContext;
import io.dedup.OnMissingKey;
import io.dedup.spring.bean.CallMode;
import io.dedup.spring.bean.Idempotent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** A bean with guarded methods of many kinds. What happens within them a test can decide. */
class Shop {

  record Order(@Nullable String number, long cents) {}

  record Receipt(String id, long cents) {}

  static final class Declined extends Exception {
    private static final long serialVersionUID = 1;

    Declined(String message) {
      super(message);
    }
  }

  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What has happened in the shop, and what is to happen in it. */
  static final class Floor {
    final List<String> effects = new CopyOnWriteArrayList<>();
    volatile Supplier<CompletableFuture<Receipt>> remote = Floor::answer;
    volatile Runnable within = () -> {};
    volatile @Nullable DedupContext seen;

    static CompletableFuture<Receipt> answer() {
      return CompletableFuture.completedFuture(new Receipt("r-1", 500));
    }
  }

  private final Floor floor;
  private final @Nullable JdbcTemplate jdbc;

  Shop(Floor floor, ObjectProvider<DataSource> dataSource) {
    DataSource there = dataSource.getIfAvailable();
    this.floor = floor;
    this.jdbc = there == null ? null : new JdbcTemplate(there);
  }

  private void effect(String what) {
    floor.effects.add(what);
    if (jdbc != null) {
      jdbc.update("INSERT INTO effect (what) VALUES (?)", what);
    }
    floor.within.run();
  }

  @Idempotent(key = "#order.number + ':' + #type", ttl = "${shop.ttl:10m}", lease = "20s")
  Receipt pay(Order order, String type) {
    effect("pay " + order.number());
    return new Receipt("r-" + floor.effects.size(), order.cents());
  }

  @Idempotent(key = "#number")
  void ship(String number) {
    effect("ship " + number);
  }

  @Idempotent(key = "#number")
  @Nullable String note(String number) {
    effect("note " + number);
    return null;
  }

  @Idempotent(key = "#number")
  int count(String number) {
    effect("count " + number);
    return floor.effects.size();
  }

  @Idempotent(key = "#number", inProgressWait = "10s")
  String patient(String number) {
    effect("patient " + number);
    return "done by " + floor.effects.size();
  }

  @Idempotent(key = "#number", recordOn = Exception.class, releaseOn = Broken.class)
  String risky(String number) throws Declined {
    effect("risky " + number);
    throw new Declined("no funds");
  }

  @Idempotent(key = "#number", recordOn = Exception.class, releaseOn = Broken.class)
  String fragile(String number) {
    effect("fragile " + number);
    throw new Broken();
  }

  @Idempotent(key = "#number", onMissingKey = OnMissingKey.PROCESS)
  void open(@Nullable String number) {
    effect("open " + number);
  }

  @Idempotent(key = "#number", scope = "shop")
  String told(String number, @Nullable DedupContext context) {
    effect("told " + number);
    floor.seen = context;
    return "told";
  }

  @Idempotent(key = "#number", inProgressWait = "10s")
  CompletableFuture<Receipt> later(String number) {
    effect("later " + number);
    return floor.remote.get();
  }

  @Idempotent(key = "#number")
  CompletionStage<Void> sometime(String number) {
    effect("sometime " + number);
    return CompletableFuture.completedFuture(null);
  }

  @Idempotent(key = "#number", inProgressWait = "10s")
  Mono<Receipt> reactive(String number) {
    return Mono.fromRunnable(() -> effect("reactive " + number))
        .then(Mono.fromFuture(() -> floor.remote.get()));
  }

  @Idempotent(key = "#number", mode = CallMode.TRANSACTIONAL)
  @Transactional
  public Receipt book(String number) {
    effect("book " + number);
    return new Receipt("b-" + number, 1);
  }

  @Idempotent(
      key = "#number",
      mode = CallMode.TRANSACTIONAL,
      recordOn = Declined.class,
      inProgressWait = "20s")
  public Receipt reject(String number) throws Declined {
    effect("reject " + number);
    throw new Declined("no funds");
  }

  @Idempotent(key = "#number", mode = CallMode.TIERED)
  public Receipt shelve(String number) {
    effect("shelve " + number);
    return new Receipt("s-" + number, 2);
  }
}
