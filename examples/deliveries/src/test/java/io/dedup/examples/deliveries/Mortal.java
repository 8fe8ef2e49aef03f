// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

/**
 * Ends its process, as SIGKILL would, when it comes to an arrow the n-th time: no hook runs, no
 * buffer is written.
 *
 * @param arrow where
 * @param after how many times it survives
 */
record Mortal(Arrow arrow, int after) {

  private static int survived;

  synchronized void at(Arrow here) {
    if (here == arrow && survived++ == after) {
      Runtime.getRuntime().halt(137);
    }
  }
}
