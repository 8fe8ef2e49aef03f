// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/** A Kafka broker that is its own controller, in a JVM of its own. */
final class KafkaRecipe implements Recipe {

  private static final String PROPERTIES = "server.properties";
  private static final String STORAGE = "storage";
  private static final String LOGBACK = "logback.xml";

  private final String clusterId = Uuid.randomUuid().toString();
  private final KafkaPorts ports;
  private final List<String> properties;

  KafkaRecipe(KafkaPorts ports, List<String> properties) {
    this.ports = ports;
    this.properties = List.copyOf(properties);
  }

  @Override
  public String kind() {
    return "kafka";
  }

  @Override
  public Path executable() {
    return java();
  }

  private static Path java() {
    return Path.of(ProcessHandle.current().info().command().orElseThrow());
  }

  @Override
  public void prepare(Path data, int port) throws IOException {
    List<String> lines = configuration(data);
    Files.writeString(data.resolve(PROPERTIES), String.join("\n", lines) + "\n");
    Files.writeString(
        data.resolve(LOGBACK),
        """
        <configuration>
          <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%d %-5level %logger - %msg%n</pattern></encoder>
          </appender>
          <root level="warn"><appender-ref ref="out"/></root>
        </configuration>
        """);
  }

  private List<String> configuration(Path data) {
    List<String> lines = new ArrayList<>();
    lines.add("process.roles=broker,controller");
    lines.add("node.id=1");
    lines.add("controller.quorum.voters=1@" + at(ports.controller()));
    lines.add(
        "listeners=CLIENT://%s,PROXIED://%s,CONTROLLER://%s"
            .formatted(at(ports.client()), at(ports.behindProxy()), at(ports.controller())));
    lines.add(
        "advertised.listeners=CLIENT://%s,PROXIED://%s"
            .formatted(at(ports.client()), at(ports.proxy())));
    lines.add(
        "listener.security.protocol.map=CLIENT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
    lines.add("inter.broker.listener.name=CLIENT");
    lines.add("controller.listener.names=CONTROLLER");
    lines.add("log.dirs=" + data.resolve(STORAGE).toString().replace('\\', '/'));
    lines.add("auto.create.topics.enable=false");
    lines.add("group.initial.rebalance.delay.ms=0");
    // After SIGKILL the broker comes back at once; until its old session is over it is a stranger.
    lines.add("broker.session.timeout.ms=3000");
    lines.add("broker.heartbeat.interval.ms=500");
    for (String internal :
        List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
      lines.add(internal + ".replication.factor=1");
      lines.add(internal + ".num.partitions=2");
    }
    lines.add("transaction.state.log.min.isr=1");
    lines.add("share.coordinator.state.topic.min.isr=1");
    lines.add("num.network.threads=2");
    lines.add("num.io.threads=4");
    lines.add("background.threads=2");
    lines.add("num.recovery.threads.per.data.dir=2");
    lines.add("log.cleaner.dedupe.buffer.size=4194304");
    lines.addAll(properties);
    return lines;
  }

  private static String at(int port) {
    return Ports.LOOPBACK + ":" + port;
  }

  @Override
  public List<String> command(Path data) {
    return List.of(
        java().toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-Dlogback.configurationFile=" + data.resolve(LOGBACK),
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        KafkaMain.class.getName(),
        data.resolve(PROPERTIES).toString(),
        clusterId,
        data.resolve(STORAGE).toString(),
        data.toString());
  }

  // In the environment, for it is long; absolute, for the broker works in another folder.
  @Override
  public Map<String, String> environment() {
    String separator = System.getProperty("path.separator");
    String classPath =
        Pattern.compile(separator, Pattern.LITERAL)
            .splitAsStream(System.getProperty("java.class.path"))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(separator));
    return Map.of("CLASSPATH", classPath);
  }

  @Override
  public boolean ready(Launched launched) {
    return Files.exists(KafkaMain.readyFile(launched.data(), launched.process().pid()));
  }
}
