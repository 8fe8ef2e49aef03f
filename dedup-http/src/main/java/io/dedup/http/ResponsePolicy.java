// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * How a handler wants its answer to be kept, by a header that is never sent: {@code no-store},
 * {@code ttl=2h}, or both with a comma between.
 *
 * @param noStore whether the body is not kept
 * @param ttl how long the key is known as done, null for as long as the operation says
 */
record ResponsePolicy(boolean noStore, @Nullable Duration ttl) {

  /** The header. */
  static final String HEADER = "X-Idempotency-Policy";

  private static final Logger LOG = LoggerFactory.getLogger(ResponsePolicy.class);
  private static final String TTL = "ttl=";

  /** The effect is done by now, so what cannot be read is no reason to fail. */
  static ResponsePolicy of(@Nullable String text) {
    boolean noStore = false;
    Duration ttl = null;
    for (String part : text == null ? new String[0] : text.split(",", -1)) {
      String word = part.strip().toLowerCase(Locale.ROOT);
      if (word.equals("no-store")) {
        noStore = true;
      } else if (word.startsWith(TTL)) {
        ttl = duration(word.substring(TTL.length()));
      } else if (!word.isEmpty()) {
        LOG.warn("{}: was '{}', must be no-store or ttl=, and is passed by", HEADER, word);
      }
    }
    return new ResponsePolicy(noStore, ttl);
  }

  private static @Nullable Duration duration(String text) {
    try {
      Duration ttl = DurationFormatterUtils.detectAndParse(text);
      if (ttl.compareTo(Duration.ofSeconds(1)) >= 0 && ttl.compareTo(Duration.ofDays(3650)) <= 0) {
        return ttl;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      LOG.debug("no duration", e);
    }
    LOG.warn("{}: ttl was '{}', must be 1s to 3650d, and is passed by", HEADER, text);
    return null;
  }
}
