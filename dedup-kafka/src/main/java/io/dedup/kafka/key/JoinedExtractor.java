// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.RecordPosition;
import io.dedup.key.CompositeId;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Joins the ids of several extractors, such that two different lists never give the same id. A part
 * that is absent is an empty one, which no id is.
 */
record JoinedExtractor(List<KeyExtractor<? super ConsumerRecord<?, ?>>> parts, MissingPart missing)
    implements Reading.Positioned, Cautioned {

  JoinedExtractor {
    parts = List.copyOf(parts);
    if (parts.size() < 2) {
      throw new IllegalArgumentException(
          "joined: was given " + parts.size() + " extractors, must be given at least 2");
    }
  }

  @Override
  public Reading read(ConsumerRecord<?, ?> record, @Nullable RecordPosition position) {
    List<String> ids = new ArrayList<>();
    List<String> without = new ArrayList<>();
    boolean byOffset = false;
    for (KeyExtractor<? super ConsumerRecord<?, ?>> part : parts) {
      Reading reading = Reading.of(part, record, position);
      if (reading.id() instanceof ExtractedId.Unreadable) {
        return reading;
      }
      byOffset |= reading.byOffset();
      if (reading.id() instanceof ExtractedId.Found found) {
        ids.add(found.id());
      } else {
        ids.add("");
        without.add(part.describe());
      }
    }
    return new Reading(join(ids, without), byOffset);
  }

  private ExtractedId join(List<String> ids, List<String> without) {
    if (without.size() == parts.size() || (!without.isEmpty() && missing == MissingPart.MISSING)) {
      return new ExtractedId.Missing(String.join(", ", without));
    }
    if (!without.isEmpty() && missing == MissingPart.FAIL) {
      return new ExtractedId.Unreadable(
          describe(), "has no value for " + String.join(", ", without) + ", must have every part");
    }
    return new ExtractedId.Found(CompositeId.join(ids));
  }

  @Override
  public boolean usesOffset() {
    return parts.stream().anyMatch(Reading::usesOffset);
  }

  @Override
  public List<String> cautions() {
    return parts.stream().flatMap(part -> KeyExtractors.cautions(part).stream()).toList();
  }

  @Override
  public String describe() {
    String joined =
        parts.stream().map(JoinedExtractor::describePart).collect(Collectors.joining("+"));
    return switch (missing) {
      case FAIL -> joined;
      case MISSING -> joined + "+" + KeyExpression.OR_MISSING;
      case ABSENT -> joined + "+" + KeyExpression.OR_ABSENT;
    };
  }

  private static String describePart(KeyExtractor<?> part) {
    boolean compound = part instanceof JoinedExtractor || part instanceof FirstOfExtractor;
    return compound ? "(" + part.describe() + ")" : part.describe();
  }
}
