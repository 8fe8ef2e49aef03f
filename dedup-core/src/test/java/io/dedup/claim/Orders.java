// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.ArrayList;
import java.util.List;

/** The orders in which up to three workers can stand: the place of each. */
final class Orders {

  private static final List<List<int[]>> OF = List.of(List.of(), all(1), all(2), all(3));

  private Orders() {}

  static List<int[]> of(int workers) {
    return OF.get(workers);
  }

  /** Returns the order in which each stands at its own number. */
  static int[] identity(int workers) {
    return OF.get(workers).get(0);
  }

  /** The orders of one fewer, with the last put at each place; at its own place first. */
  private static List<int[]> all(int workers) {
    if (workers == 0) {
      return List.of(new int[0]);
    }
    List<int[]> orders = new ArrayList<>();
    for (int place = workers - 1; place >= 0; place--) {
      for (int[] fewer : all(workers - 1)) {
        int[] order = new int[workers];
        for (int i = 0; i < fewer.length; i++) {
          order[i] = fewer[i] < place ? fewer[i] : fewer[i] + 1;
        }
        order[workers - 1] = place;
        orders.add(order);
      }
    }
    return List.copyOf(orders);
  }
}
