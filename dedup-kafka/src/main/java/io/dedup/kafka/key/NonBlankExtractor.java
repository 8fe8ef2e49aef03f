// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.RecordPosition;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Takes an id of nothing but white space for a missing one. */
record NonBlankExtractor(KeyExtractor<? super ConsumerRecord<?, ?>> inner)
    implements Reading.Positioned, Cautioned {

  @Override
  public Reading read(ConsumerRecord<?, ?> record, @Nullable RecordPosition position) {
    Reading reading = Reading.of(inner, record, position);
    return reading.id() instanceof ExtractedId.Found found && found.id().isBlank()
        ? new Reading(new ExtractedId.Missing(inner.describe() + " (blank)"), false)
        : reading;
  }

  @Override
  public boolean usesOffset() {
    return Reading.usesOffset(inner);
  }

  @Override
  public List<String> cautions() {
    return KeyExtractors.cautions(inner);
  }

  @Override
  public String describe() {
    boolean compound = inner instanceof JoinedExtractor || inner instanceof FirstOfExtractor;
    return KeyExpression.NON_BLANK + (compound ? "(" + inner.describe() + ")" : inner.describe());
  }
}
