// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * What the JVM of a broker runs: the formatting of new storage, then the broker. When the broker
 * serves clients, it makes a file with its process number as name.
 */
final class KafkaMain {

  private static final String BROKER_STATE = "kafka.server:type=KafkaServer,name=BrokerState";
  private static final int RUNNING = 3; // org.apache.kafka.metadata.BrokerState
  private static final long POLL_MILLIS = 10;

  private KafkaMain() {}

  /**
   * Runs until the broker ends.
   *
   * @param args the configuration, the cluster id, the storage, and the folder for the file that
   *     says "ready"
   */
  public static void main(String[] args) {
    String configuration = args[0];
    if (Files.notExists(Path.of(args[2], "meta.properties"))) {
      String[] format = {"format", "--cluster-id", args[1], "--config", configuration};
      if (StorageTool.execute(format, System.err) != 0) {
        Runtime.getRuntime().exit(1);
      }
    }
    Path ready = readyFile(Path.of(args[3]), ProcessHandle.current().pid());
    Thread watch = new Thread(() -> announce(ready), "await-running");
    watch.setDaemon(true);
    watch.start();
    Kafka.main(new String[] {configuration});
  }

  static Path readyFile(Path folder, long pid) {
    return folder.resolve("ready-" + pid);
  }

  private static void announce(Path ready) {
    try {
      MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
      ObjectName state = new ObjectName(BROKER_STATE);
      while (!isRunning(beans, state)) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      Files.createFile(ready);
    } catch (IOException | JMException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isRunning(MBeanServer beans, ObjectName state) throws JMException {
    try {
      return beans.getAttribute(state, "Value") instanceof Number value
          && value.intValue() == RUNNING;
    } catch (InstanceNotFoundException e) {
      return false; // the broker has not come so far yet
    }
  }
}
