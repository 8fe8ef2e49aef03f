// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.Deduplicator;
import io.dedup.LargeResults;
import io.dedup.Policy;
import io.dedup.ResultCodec;
import tools.jackson.databind.json.JsonMapper;

/** The parts of the application that guarded methods use. Asked for when they are first needed. */
public interface CallParts {

  /**
   * Returns the deduplicator of a mode.
   *
   * @param by what asks for it, for messages
   */
  Deduplicator deduplicator(CallMode mode, String by);

  /** Returns the deduplicator of that name. */
  Deduplicator deduplicator(String beanName, String by);

  /** Returns the codec of that name. */
  ResultCodec<?> codec(String beanName, String by);

  /** Returns where results go that are too large for their records. */
  LargeResults largeResults(Policy policy);

  /** Returns what writes and reads answers. */
  JsonMapper mapper();
}
