// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Deliveries made by chance, the same for the same seed.
 *
 * @param total how many, duplicates included
 * @param duplicates the share of them that repeat an earlier one, 0 to below 1
 * @param seed of the chance
 */
record GeneratedDeliveries(long total, double duplicates, long seed) implements Deliveries {

  /** Half of the duplicates come soon after the original, within so many deliveries. */
  private static final int SOON = 100;

  @Override
  public long forEach(Consumer<WebhookDelivery> sink) {
    Random random = new Random(seed);
    long made = 0;
    for (long i = 0; i < total; i++) {
      boolean repeat = made > 0 && random.nextDouble() < duplicates;
      sink.accept(delivery(repeat ? earlier(random, made) : made++));
    }
    return 0;
  }

  @Override
  public long count() {
    return total;
  }

  private static long earlier(Random random, long made) {
    long span = random.nextBoolean() ? Math.min(SOON, made) : made;
    return made - 1 - (long) (random.nextDouble() * span);
  }

  private WebhookDelivery delivery(long number) {
    UUID id = new UUID(seed * 31 + number, number);
    String payload =
        """
        {"action":"opened","number":%d,"title":"Delivery %d of a generated stream","id":"%s","body":"%s"}        """
            .formatted(number, number, id, "x".repeat(80));
    return new WebhookDelivery(id.toString(), "issues", payload.getBytes(UTF_8));
  }
}
