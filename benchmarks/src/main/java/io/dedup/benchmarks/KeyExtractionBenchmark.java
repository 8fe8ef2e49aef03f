// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to find the id of a record, by where it is. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KeyExtractionBenchmark {

  /** As in the configuration of a topic. */
  @Param({
    "header:event-id",
    "header:event-id:uuid",
    "json:/id",
    "json:/note",
    "key",
    "cloudevents",
    "body:raw",
    "body:json"
  })
  public String source = "";

  private @Nullable KeyExtractor<ConsumerRecord<?, ?>> extractor;
  private @Nullable ConsumerRecord<byte[], byte[]> record;

  /** Makes one record that has an id wherever it may be. */
  @Setup
  public void setUp() {
    Dataset data = new Dataset("records", new DatasetPlan(1, 1, 0, 1));
    extractor = KeyExtractors.parse(source);
    record = new ConsumerRecord<>("records", 0, 0, data.id(0).getBytes(UTF_8), data.value(0));
    record.headers().add(Dataset.ID_HEADER, data.id(0).getBytes(UTF_8));
    record.headers().add("ce_id", data.id(0).getBytes(UTF_8));
    record.headers().add("ce_source", "/orders".getBytes(UTF_8));
    record.headers().add("ce_specversion", "1.0".getBytes(UTF_8));
    record.headers().add("ce_type", "order.placed".getBytes(UTF_8));
    if (!(extract() instanceof ExtractedId.Found)) {
      throw new IllegalStateException(source + ": was " + extract() + ", must be found");
    }
  }

  /** Finds the id. */
  @Benchmark
  public ExtractedId extract() {
    return Objects.requireNonNull(extractor).extract(Objects.requireNonNull(record));
  }
}
