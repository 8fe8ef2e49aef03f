// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;

import io.dedup.claim.ClaimRequest;
import io.dedup.claim.Origin;
import io.dedup.claim.Settlement;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Defects of what a record keeps: results, errors, owners, numbers. */
final class ContentDefects {

  private ContentDefects() {}

  static List<Defect> all() {
    return List.of(
        result(
            "ends a result at its first NUL",
            r -> new StoredResult(r.contentType(), untilNul(r.bytes()))),
        result(
            "keeps 65,535 bytes of a result",
            r ->
                new StoredResult(
                    r.contentType(), Arrays.copyOf(r.bytes(), Math.min(65_535, r.bytes().length)))),
        result(
            "keeps results as text",
            r ->
                new StoredResult(
                    r.contentType(),
                    new String(r.bytes(), StandardCharsets.UTF_8)
                        .getBytes(StandardCharsets.UTF_8))),
        result("keeps no content type", r -> new StoredResult("", r.bytes())),
        result(
            "folds the case of a content type",
            r -> new StoredResult(r.contentType().toLowerCase(Locale.ROOT) + ";", r.bytes())),
        result("takes an empty result for none", r -> r.bytes().length == 0 ? null : r),
        error(
            "writes errors in Latin-1",
            e -> new String(e.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1)),
        error("keeps 255 characters of an error", e -> e.substring(0, Math.min(255, e.length()))),
        error("takes an empty error for one that says null", e -> e.isEmpty() ? "null" : e),
        request(
            "keeps 64 characters of an owner",
            "WhatIsKept",
            r -> changed(r, "owner", (String o) -> o.substring(0, Math.min(64, o.length())))),
        request("trims owners", "WhatIsKept", r -> changed(r, "owner", String::strip)),
        request(
            "keeps a lease in milliseconds",
            "ClaimsOfNewKeys",
            r -> changed(r, "lease", (Duration d) -> Duration.ofMillis(d.toMillis()))),
        request(
            "keeps 32 bits of a fingerprint",
            "ClaimsOfHeldKeys",
            r ->
                changed(
                    r,
                    "fingerprint",
                    (Fingerprint f) -> new Fingerprint(f.algorithm(), (int) f.value()))),
        request(
            "keeps 63 bits of an origin",
            "WhatIsKept",
            r ->
                changed(
                    r,
                    "origin",
                    (Origin o) -> new Origin(o.source() & Long.MAX_VALUE, o.position()))),
        request(
            "cannot count to a hundred years",
            "WhatIsKept",
            r ->
                changed(
                    r,
                    "lease",
                    (Duration d) ->
                        d.compareTo(Duration.ofDays(24_000)) > 0 ? Duration.ofDays(24_000) : d)));
  }

  private static Defect result(String says, UnaryOperator<StoredResult> change) {
    return settlement(
        says,
        s -> {
          if (s instanceof Settlement.Complete complete && complete.result() != null) {
            return new Settlement.Complete(change.apply(complete.result()), complete.ttl());
          }
          return s;
        });
  }

  private static Defect error(String says, UnaryOperator<String> change) {
    return settlement(
        says, s -> s instanceof Settlement.Fail fail ? changed(fail, "error", change) : s);
  }

  private static Defect settlement(String says, UnaryOperator<Settlement> change) {
    return new Defect(
        says,
        "WhatIsKept",
        time ->
            new AlteredStore(time) {
              @Override
              Settlement settlement(Settlement settlement) {
                return change.apply(settlement);
              }
            });
  }

  private static Defect request(String says, String section, UnaryOperator<ClaimRequest> change) {
    return new Defect(
        says,
        section,
        time ->
            new AlteredStore(time) {
              @Override
              ClaimRequest request(ClaimRequest request) {
                return change.apply(request);
              }
            });
  }

  private static byte[] untilNul(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return Arrays.copyOf(bytes, end);
  }
}
