// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Servers that somebody else runs, as the system properties of {@link Servers} name them. */
final class RunningServers {

  private static final Pattern REDIS = Pattern.compile("redis://(?<nodes>[^/?#]+)/?");
  private static final Pattern SENTINEL =
      Pattern.compile("redis-sentinel://(?<nodes>[^/?#]+)/?#(?<name>.+)");
  private static final Pattern JDBC =
      Pattern.compile(
          "jdbc:(?<kind>\\w+)://(?<host>[^:/?]+)(:(?<port>\\d+))?/[^?]*\\?(?<options>.+)");

  private RunningServers() {}

  static RedisServer redis(String url) {
    List<Address> nodes = nodes(Servers.REDIS_PROPERTY, url);
    if (nodes.size() > 1) {
      throw mustBe(Servers.REDIS_PROPERTY, url, "redis://host:port");
    }
    return new RedisServer(node(nodes.get(0)));
  }

  static RedisCluster redisCluster(String url) {
    return new RedisCluster(group(nodes(Servers.REDIS_CLUSTER_PROPERTY, url)));
  }

  static RedisSentinel redisSentinel(String url) {
    String property = Servers.REDIS_SENTINEL_PROPERTY;
    Matcher parts = matcher(SENTINEL, property, url, "redis-sentinel://host:port,host:port#name");
    GroupNode sentinels = group(addresses(property, parts.group("nodes")));
    return RedisSentinel.running(sentinels, parts.group("name"));
  }

  static PostgresServer postgres(String url) {
    Matcher parts = jdbc(Servers.POSTGRES_PROPERTY, "postgresql", url);
    Node node = node(new Address(parts.group("host"), port(parts, 5432)));
    return new PostgresServer(node, database(Servers.POSTGRES_PROPERTY, url, parts));
  }

  static MariaDbServer mariadb(String url) {
    Matcher parts = jdbc(Servers.MARIADB_PROPERTY, "mariadb", url);
    Node node = node(new Address(parts.group("host"), port(parts, 3306)));
    return new MariaDbServer(node, database(Servers.MARIADB_PROPERTY, url, parts));
  }

  static KafkaServer kafka(String bootstrapServers) {
    List<Address> brokers = addresses(Servers.KAFKA_PROPERTY, bootstrapServers);
    return KafkaServer.running(node(brokers.get(0)), bootstrapServers);
  }

  private static List<Address> nodes(String property, String url) {
    return addresses(property, matcher(REDIS, property, url, "redis://host:port").group("nodes"));
  }

  private static List<Address> addresses(String property, String text) {
    return Arrays.stream(text.split(",", -1)).map(one -> Address.parse(property, one)).toList();
  }

  private static Matcher jdbc(String property, String kind, String url) {
    String form = "jdbc:" + kind + "://host:port/database?user=...&password=...";
    Matcher parts = matcher(JDBC, property, url, form);
    if (!parts.group("kind").equals(kind)) {
      throw mustBe(property, url, form);
    }
    return parts;
  }

  private static Database database(String property, String url, Matcher parts) {
    Map<String, String> options = new HashMap<>();
    for (String option : parts.group("options").split("&", -1)) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        String value = option.substring(equals + 1);
        options.put(option.substring(0, equals), URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    }
    String user = options.get("user");
    String password = options.get("password");
    if (user == null || password == null) {
      throw mustBe(property, url, "a JDBC URL with the parameters user and password");
    }
    return new Database(url, user, password);
  }

  private static int port(Matcher parts, int usual) {
    String port = parts.group("port");
    return port == null ? usual : Integer.parseInt(port);
  }

  private static Matcher matcher(Pattern pattern, String property, String url, String form) {
    Matcher matcher = pattern.matcher(url);
    if (!matcher.matches()) {
      throw mustBe(property, url, form);
    }
    return matcher;
  }

  // Without what follows the question mark: there is the password.
  private static IllegalArgumentException mustBe(String property, String url, String form) {
    int options = url.indexOf('?');
    String shown = options < 0 ? url : url.substring(0, options) + "?...";
    return new IllegalArgumentException(property + ": was " + shown + ", must be " + form);
  }

  private static Node node(Address address) {
    return new BorrowedNode(address.host(), address.port(), () -> {});
  }

  private static GroupNode group(List<Address> addresses) {
    return new GroupNode(addresses.stream().map(RunningServers::node).toList(), () -> {});
  }
}
