// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import java.util.Set;

/**
 * What a column must be.
 *
 * @param names the types it may have, in lower case, as the information schema names them
 * @param lengthMin how many characters or bytes it must hold at least, 0 if that is not limited
 */
record ColumnType(Set<String> names, long lengthMin) {

  /** Returns whether a column of this type and length will do. */
  boolean admits(String name, long length) {
    return names.contains(name) && (lengthMin == 0 || length >= lengthMin);
  }

  @Override
  public String toString() {
    String type = String.join(" or ", names.stream().sorted().toList());
    return lengthMin == 0 ? type : type + " of at least " + lengthMin;
  }
}
