// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * What will be asked of the application, the same for the same seed.
 *
 * @param stream what is published, duplicates included
 * @param payments what comes by Kafka, each once
 * @param fees what comes by Kafka in batches, each once
 * @param bothWays those of the payments that come by HTTP as well
 * @param direct payments that come by HTTP alone
 * @param requests payments that are taken in by HTTP and booked later
 * @param orders those to be paid; the last one is too expensive
 * @param late fails until its account is opened
 * @param unlucky those for which the risk check is down at first
 * @param poison how many records can never be booked
 */
record Plan(
    List<Message> stream,
    List<Transfer> payments,
    List<Transfer> fees,
    List<Transfer> bothWays,
    List<Transfer> direct,
    List<Transfer> requests,
    List<Transfer> orders,
    Transfer late,
    Set<String> unlucky,
    int poison) {

  static final String BANK = "bank";

  /** Is opened only before the dead letters are replayed. */
  static final String LATE_ACCOUNT = "late";

  static final long OPENING_BALANCE = 1_000_000;
  static final int ORDERS = 4;
  private static final int ACCOUNTS = 8;
  private static final int BESIDE = 10;

  /** A record to publish. */
  record Message(String topic, String value) {}

  static Plan of(int count, double duplicates, long seed) {
    Random random = new Random(seed);
    List<Transfer> payments = transfers(random, count);
    List<Transfer> fees = new ArrayList<>();
    for (Transfer one : transfers(random, Math.max(1, count / 4))) {
      fees.add(new Transfer(one.source(), one.from(), BANK, one.amount()));
    }
    Transfer late = new Transfer(id(random), "account-0", LATE_ACCOUNT, 500);
    List<Message> stream = new ArrayList<>();
    payments.forEach(one -> stream.add(new Message("payments", one.asPayment())));
    fees.forEach(one -> stream.add(new Message("fees", one.asFee())));
    stream.add(new Message("payments", late.asPayment()));
    List<Message> poison =
        List.of(
            new Message("payments", "no JSON at all"),
            new Message("payments", new Transfer(id(random), "account-0", BANK, -1).asPayment()));
    repeat(stream, duplicates, random);
    poison.forEach(one -> stream.add(random.nextInt(stream.size()), one));
    Set<String> unlucky = new HashSet<>(Set.of(fees.get(0).source()));
    for (int i = 0; i < count; i += 10) {
      unlucky.add(payments.get(i).source());
    }
    List<Transfer> bothWays = new ArrayList<>();
    for (int i = 0; i < count; i += 7) {
      bothWays.add(payments.get(i));
    }
    List<Transfer> orders = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      long amount = i == ORDERS - 1 ? CountingCardCompany.LIMIT + 1 : 100 + i;
      orders.add(new Transfer("order-" + i, "account-" + i, BANK, amount));
    }
    return new Plan(
        stream,
        payments,
        fees,
        bothWays,
        transfers(random, BESIDE),
        transfers(random, BESIDE),
        orders,
        late,
        unlucky,
        poison.size());
  }

  static List<String> accounts() {
    List<String> accounts = new ArrayList<>(List.of(BANK));
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add("account-" + i);
    }
    return accounts;
  }

  private static List<Transfer> transfers(Random random, int count) {
    List<Transfer> transfers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      transfers.add(
          new Transfer(id(random), "account-" + from, "account-" + to, 1 + random.nextInt(200)));
    }
    return transfers;
  }

  private static String id(Random random) {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** Repeats a share of them: half soon after, half anywhere later. */
  private static void repeat(List<Message> stream, double share, Random random) {
    int repeats = (int) (stream.size() * share / (1 - share));
    for (int i = 0; i < repeats; i++) {
      int original = random.nextInt(stream.size());
      int later = random.nextInt(stream.size() - original) + 1;
      stream.add(original + (random.nextBoolean() ? 1 : later), stream.get(original));
    }
  }
}
