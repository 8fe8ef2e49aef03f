// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** Claims all records of a poll in one exchange, handles them, and completes them in another. */
record RedisLimitStep(Effect effect, RedisLimit redis) implements Step {

  static Step.Opening of(RedisLimit.Calls calls) {
    return course ->
        new RedisLimitStep(course.effect(), new RedisLimit(course.stores().redis(), calls));
  }

  @Override
  public void handle(ConsumerRecords<byte[], byte[]> records) {
    List<String> ids = new ArrayList<>(records.count());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      ids.add(Dataset.idOf(record));
    }
    List<Boolean> free = redis.claim(ids);
    List<String> done = new ArrayList<>(ids.size());
    int i = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (free.get(i)) {
        effect.run(record);
        done.add(ids.get(i));
      }
      i++;
    }
    redis.complete(done);
  }

  @Override
  public void close() {
    redis.close();
  }
}
