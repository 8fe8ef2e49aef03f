// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.util.ArrayList;
import java.util.List;

/** The orders in which two or three workers can stand. */
final class Orders {

  private static final List<int[]> OF_TWO = List.of(new int[] {1, 0});
  private static final List<int[]> OF_THREE = ofThree();

  private Orders() {}

  static List<int[]> otherThanIdentity(int count) {
    return switch (count) {
      case 1 -> List.of();
      case 2 -> OF_TWO;
      case 3 -> OF_THREE;
      default -> throw new IllegalArgumentException("count: was " + count + ", must be 1 to 3");
    };
  }

  private static List<int[]> ofThree() {
    List<int[]> orders = new ArrayList<>();
    for (int first = 0; first < 3; first++) {
      for (int second = 0; second < 3; second++) {
        int third = 3 - first - second;
        if (first != second && !(first == 0 && second == 1)) {
          orders.add(new int[] {first, second, third});
        }
      }
    }
    return orders;
  }
}
