// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.headers;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.key.KeyExtractor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsKeyTest {

  private static final KeyExtractor<ConsumerRecord<?, ?>> EVENT = KeyExtractors.cloudEvents();

  private static ConsumerRecord<?, ?> structured(String contentType, Object document) {
    ConsumerRecord<?, ?> record = value(document);
    record.headers().add("content-type", contentType.getBytes(UTF_8));
    return record;
  }

  @Test
  void theSameIdOfTwoSourcesIsTwoEvents() {
    String a = idOf(EVENT, headers("ce_source", "/a", "ce_id", "100"));
    String b = idOf(EVENT, headers("ce_source", "/b", "ce_id", "100"));
    assertThat(a).isNotEqualTo(b);
    assertThat(idOf(EVENT, headers("ce_id", "100", "ce_source", "/a"))).isEqualTo(a);
  }

  @Test
  void sourceAndIdDoNotRunIntoEachOther() {
    assertThat(idOf(EVENT, headers("ce_source", "a|b", "ce_id", "c")))
        .isNotEqualTo(idOf(EVENT, headers("ce_source", "a", "ce_id", "b|c")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/cloudevents+json",
        "application/cloudevents+json; charset=UTF-8",
        "Application/CloudEvents+JSON"
      })
  void structuredModeGivesTheSameIdAsBinaryMode(String contentType) {
    String document =
        "{\"specversion\":\"1.0\",\"id\":\"100\",\"source\":\"/a\",\"data\":{\"id\":\"x\"}}";
    assertThat(idOf(EVENT, structured(contentType, document)))
        .isEqualTo(
            idOf(
                EVENT,
                headers("ce_source", "/a", "ce_id", "100", "content-type", "application/json")));
    assertThat(idOf(EVENT, structured(contentType, document.getBytes(UTF_8))))
        .isEqualTo(idOf(EVENT, headers("ce_source", "/a", "ce_id", "100")));
  }

  @Test
  void anEventWithoutIdOrSourceHasNone() {
    assertMissing(EVENT, headers("ce_id", "100"));
    assertMissing(EVENT, headers("ce_source", "/a"));
    assertMissing(EVENT, structured("application/cloudevents+json", "{\"id\":\"100\"}"));
    assertMissing(EVENT, structured("application/cloudevents+json", null));
    assertMissing(EVENT, value("not an event"));
  }

  @Test
  void otherStructuredFormatsAreUnreadable() {
    assertUnreadable(EVENT, structured("application/cloudevents+avro", new byte[3]), "not of type");
    assertUnreadable(EVENT, structured("application/cloudevents-batch+json", "[]"), "not of type");
  }

  @Test
  void anIdThatIsNotTextIsNoCloudEvent() {
    assertUnreadable(
        EVENT,
        structured("application/cloudevents+json", "{\"id\":100,\"source\":\"/a\"}"),
        "not text");
  }

  @Test
  void aBrokenDocumentIsUnreadable() {
    assertUnreadable(EVENT, structured("application/cloudevents+json", "{"), "not well-formed");
  }
}
