// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/**
 * Redis processes in one container, of an engine on this machine.
 *
 * <p>Cluster nodes and sentinels tell clients each other's addresses. These are right inside and
 * outside because all processes live in one container and each port is published under its own
 * number on the loopback address.
 */
final class RedisContainer {

  private RedisContainer() {}

  static List<Node> start(String image, List<RedisConfig> configs) {
    GenericContainer<?> container = new GenericContainer<>(Containers.name(image, "redis"));
    List<String> script = new ArrayList<>();
    for (RedisConfig config : configs) {
      Path folder = Path.of("/tmp", "redis-" + config.port());
      config
          .files("0.0.0.0", folder)
          .forEach(
              (name, text) ->
                  container.withCopyToContainer(
                      Transferable.of(text), folder.resolve(name).toString()));
      List<String> words = new ArrayList<>(List.of("redis-server"));
      words.add(folder.resolve(RedisConfig.FILE).toString());
      words.addAll(config.arguments());
      words.add("&");
      script.add(String.join(" ", words));
    }
    script.add("wait");
    container.withCommand("sh", "-c", String.join("\n", script));
    Containers.publish(
        container, configs.stream().map(RedisContainer::binding).toArray(PortBinding[]::new));
    return started(container, configs);
  }

  private static PortBinding binding(RedisConfig config) {
    Binding here = Binding.bindIpAndPort(Ports.LOOPBACK, config.port());
    return new PortBinding(here, ExposedPort.tcp(config.port()));
  }

  private static List<Node> started(GenericContainer<?> container, List<RedisConfig> configs) {
    boolean answering = false;
    try {
      container.start();
      for (RedisConfig config : configs) {
        RedisGroup.await(
            "Redis in a container answers on port " + config.port(),
            () -> Resp.ask(Ports.LOOPBACK, config.port(), "PING").equals("PONG"));
      }
      answering = true;
    } finally {
      if (!answering) {
        container.stop();
      }
    }
    return configs.stream().map(config -> node(container, config)).toList();
  }

  private static Node node(GenericContainer<?> container, RedisConfig config) {
    return new BorrowedNode(Ports.LOOPBACK, config.port(), container::stop);
  }
}
