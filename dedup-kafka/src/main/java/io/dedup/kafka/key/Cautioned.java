// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.List;

/**
 * A choice of key that is right for some topics and costs messages or suppresses nothing on others.
 */
interface Cautioned {

  /** Returns what to tell the operator at start, one sentence each. */
  List<String> cautions();
}
