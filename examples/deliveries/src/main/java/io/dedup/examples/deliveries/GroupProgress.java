// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** How far the group is, by its committed offsets. */
final class GroupProgress implements AutoCloseable {

  private final Admin admin;
  private final Run run;
  private final Map<TopicPartition, OffsetSpec> latest;

  GroupProgress(Run run) {
    this.run = run;
    this.admin = Admin.create(Map.of("bootstrap.servers", run.kafka()));
    this.latest =
        IntStream.range(0, Stage.PARTITIONS)
            .mapToObj(partition -> new TopicPartition(run.topic(), partition))
            .collect(Collectors.toUnmodifiableMap(Function.identity(), p -> OffsetSpec.latest()));
  }

  /** Returns how many records were published. */
  long published() {
    try {
      return admin.listOffsets(latest).all().get().values().stream()
          .mapToLong(end -> end.offset())
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("offsets cannot be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns how many records the group is done with. */
  long done() {
    try {
      return admin
          .listConsumerGroupOffsets(run.group())
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .mapToLong(GroupProgress::offset)
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("committed offsets cannot be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static long offset(@Nullable OffsetAndMetadata committed) {
    return committed == null ? 0 : committed.offset();
  }

  @Override
  public void close() {
    admin.close();
  }
}
