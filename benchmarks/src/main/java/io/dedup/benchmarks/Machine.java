// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Where a run was made. No names of hosts or people.
 *
 * @param cores that the JVM sees
 * @param memoryGib of the machine
 * @param jdk version and vendor
 * @param system the operating system's kind and the processor's
 */
record Machine(int cores, long memoryGib, String jdk, String system) {

  private static final long GIB = 1L << 30;

  static Machine here() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        system.getAvailableProcessors(),
        Math.round((double) system.getTotalMemorySize() / GIB),
        System.getProperty("java.version") + ", " + System.getProperty("java.vendor"),
        System.getProperty("os.name") + ", " + System.getProperty("os.arch"));
  }

  @Override
  public String toString() {
    return cores + " cores, " + memoryGib + " GiB, JDK " + jdk + ", " + system;
  }
}
