// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down where a store cannot be reached, or cannot work as it is. What a working store may forget is
 * told as {@code risks} and does not take the application out of service: it processes on, and an
 * operator decides.
 */
final class DedupHealth extends AbstractHealthIndicator {

  private final Supplier<List<StoreInspection>> inspections;

  DedupHealth(Supplier<List<StoreInspection>> inspections) {
    super("a store of claims could not be inspected");
    this.inspections = inspections;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up();
    for (StoreInspection inspection : inspections.get()) {
      Map<String, Object> details = new LinkedHashMap<>();
      String name = inspection.kind().name().toLowerCase(Locale.ROOT);
      try {
        StoreInspection.Findings findings = inspection.inspect();
        details.putAll(findings.details());
        details.put("risks", findings.risks());
      } catch (RuntimeException e) {
        builder.down();
        details.put("error", String.valueOf(e.getMessage()));
      }
      builder.withDetail(name, details);
    }
  }
}
