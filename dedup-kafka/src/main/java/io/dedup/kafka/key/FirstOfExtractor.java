// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.RecordPosition;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Takes the id from the first of several places that has one. What is there but unreadable ends the
 * search: to look further would give a broken message a key that is not its own.
 */
record FirstOfExtractor(List<KeyExtractor<? super ConsumerRecord<?, ?>>> places)
    implements Reading.Positioned, Cautioned {

  FirstOfExtractor {
    places = List.copyOf(places);
    if (places.size() < 2) {
      throw new IllegalArgumentException(
          "firstOf: was given " + places.size() + " extractors, must be given at least 2");
    }
  }

  @Override
  public Reading read(ConsumerRecord<?, ?> record, @Nullable RecordPosition position) {
    for (KeyExtractor<? super ConsumerRecord<?, ?>> place : places) {
      Reading reading = Reading.of(place, record, position);
      if (!(reading.id() instanceof ExtractedId.Missing)) {
        return reading;
      }
    }
    return new Reading(new ExtractedId.Missing(describe()), false);
  }

  @Override
  public boolean usesOffset() {
    return places.stream().anyMatch(Reading::usesOffset);
  }

  @Override
  public List<String> cautions() {
    return places.stream().flatMap(place -> KeyExtractors.cautions(place).stream()).toList();
  }

  @Override
  public String describe() {
    return places.stream()
        .map(
            place ->
                place instanceof FirstOfExtractor ? "(" + place.describe() + ")" : place.describe())
        .collect(Collectors.joining("|"));
  }
}
