// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import io.dedup.examples.payments.Ledger;
import io.dedup.examples.payments.Orders;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** One run: everything is asked for, much of it more than once, and then the books are read. */
final class Show {

  private static final int STALL_TRIES = 1200;

  private final Stage stage;
  private final Plan plan;
  private final boolean restart;
  private final Application.Outside outside;

  Show(Stage stage, Plan plan, boolean restart) {
    this.stage = stage;
    this.plan = plan;
    this.restart = restart;
    this.outside =
        new Application.Outside(new UnreliableRiskCheck(plan.unlucky()), new CountingCardCompany());
  }

  /**
   * Runs it.
   *
   * @param progress is told how many records are done
   */
  Result run(LongConsumer progress) {
    Application application = new Application(stage, 0, outside);
    try (Topics topics = new Topics(stage)) {
      prepare(application);
      long started = System.nanoTime();
      int half = plan.stream().size() / 2;
      topics.publish(plan.stream().subList(0, half));
      if (restart) {
        await(() -> done(topics, progress) > 0);
        application.close();
        application = new Application(stage, 0, outside);
      }
      topics.publish(plan.stream().subList(half, plan.stream().size()));
      try (Client client = new Client(application.port())) {
        Calls calls = new Calls(client);
        calls.make(plan);
        await(() -> done(topics, progress) == published(topics));
        application.ledger().open(Plan.LATE_ACCOUNT, Plan.OPENING_BALANCE);
        client.post("/dead-letters/replay", "replay-of-the-dead-letters", "");
        await(() -> isReplayed(topics, progress));
        calls.askForOutcomes();
        return result(topics, calls, (System.nanoTime() - started) / 1e9);
      }
    } finally {
      application.close();
    }
  }

  private void prepare(Application application) {
    Ledger ledger = application.ledger();
    Plan.accounts().forEach(account -> ledger.open(account, Plan.OPENING_BALANCE));
    Orders orders = application.orders();
    plan.orders().forEach(one -> orders.place(one.source(), one.from(), one.amount()));
  }

  private static long done(Topics topics, LongConsumer progress) {
    long done = topics.done("payments") + topics.done("fees");
    progress.accept(done);
    return done;
  }

  private static long published(Topics topics) {
    return topics.published("payments") + topics.published("fees");
  }

  /** Nothing is on its way any more, neither to the letters nor back from them. */
  private static boolean isReplayed(Topics topics, LongConsumer progress) {
    long published = published(topics);
    return done(topics, progress) == published
        && topics.done("dead-payments") == topics.published("payments-dlt")
        && topics.published("payments-dlt") > 0
        && published(topics) == published;
  }

  private Result result(Topics topics, Calls calls, double seconds) {
    List<Transfer> paid =
        plan.orders().stream().filter(one -> one.amount() <= CountingCardCompany.LIMIT).toList();
    List<Transfer> booked = new ArrayList<>(plan.payments());
    booked.addAll(plan.fees());
    booked.addAll(plan.direct());
    booked.addAll(calls.accepted(plan.requests()));
    booked.addAll(paid);
    booked.add(plan.late());
    List<String> accounts = new ArrayList<>(Plan.accounts());
    accounts.add(Plan.LATE_ACCOUNT);
    Books books = Books.read(stage.database(), booked, accounts);
    Report report =
        new Report(
            published(topics),
            booked.size(),
            plan.bothWays().size(),
            calls.answers(),
            calls.unexpected().size(),
            outside.risk().failures(),
            topics.published("payments-dlt") + topics.published("fees-dlt"),
            plan.poison(),
            paid.size(),
            plan.orders().size() - paid.size(),
            outside.cards().charges(),
            restart ? 1 : 0,
            books.lost(),
            books.doubled(),
            books.balance(),
            seconds);
    return new Result(report, books, calls.unexpected());
  }

  private static void await(BooleanSupplier condition) {
    for (int i = 0; i < STALL_TRIES; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      Client.pause();
    }
    throw new IllegalStateException("the application does not get on");
  }

  /**
   * What came of a run.
   *
   * @param report the figures
   * @param books the accounts
   * @param unexpected answers that were not what the client must get
   */
  record Result(Report report, Books books, List<String> unexpected) {}
}
