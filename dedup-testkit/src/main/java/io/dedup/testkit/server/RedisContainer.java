// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/**
 * Redis processes in one container.
 *
 * <p>Cluster nodes and sentinels tell their clients each other's addresses. These are right inside
 * and outside because all processes live in one container and each port is published under its own
 * number.
 */
final class RedisContainer {

  private RedisContainer() {}

  static List<Node> start(String image, List<RedisConfig> configs) {
    GenericContainer<?> container = new GenericContainer<>(Containers.name(image, "redis"));
    List<PortBinding> bindings = new ArrayList<>();
    List<String> script = new ArrayList<>();
    for (RedisConfig config : configs) {
      Path folder = Path.of("/tmp", "redis-" + config.port());
      for (Map.Entry<String, String> file : config.files("0.0.0.0", folder).entrySet()) {
        Path target = folder.resolve(file.getKey());
        container.withCopyToContainer(Transferable.of(file.getValue()), target.toString());
      }
      String arguments = String.join(" ", config.arguments());
      script.add("redis-server " + folder.resolve(RedisConfig.FILE) + " " + arguments + " &");
      bindings.add(new PortBinding(Containers.bind(config.port()), ExposedPort.tcp(config.port())));
      container.addExposedPort(config.port());
    }
    script.add("wait");
    container.withCommand("sh", "-c", String.join("\n", script));
    Containers.publish(container, bindings);
    try {
      container.start();
    } catch (ContainerLaunchException e) {
      container.stop();
      throw e;
    }
    return nodes(container, configs);
  }

  private static List<Node> nodes(GenericContainer<?> container, List<RedisConfig> configs) {
    List<Node> nodes = new ArrayList<>();
    for (RedisConfig config : configs) {
      nodes.add(new BorrowedNode(Ports.LOOPBACK, config.port(), container::stop));
    }
    return nodes;
  }
}
